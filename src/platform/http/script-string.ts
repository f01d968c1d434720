const ESCAPED_IN_SCRIPTS = /[&<>\u2028\u2029]/g;

/** Returns a text as a JavaScript string literal for an inline script of a page. */
export function toScriptString(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED_IN_SCRIPTS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
