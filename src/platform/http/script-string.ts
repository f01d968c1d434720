const ESCAPED_IN_SCRIPTS = /[&<>'\u2028\u2029]/g;

/**
 * Returns a text as a JavaScript string literal for an inline script of a page. In single quotes, because the data of a page
 * is JSON with a thousand double ones.
 */
export function toScriptString(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(
      ESCAPED_IN_SCRIPTS,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  return `'${escaped}'`;
}
