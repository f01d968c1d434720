const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns true when the text is a UUID, so that other text is treated as an unknown id. Request
 * schemas use valibot's `uuid`, which accepts the same texts.
 */
export function isId(text: string): boolean {
  return UUID_PATTERN.test(text);
}

/** Returns the first id in a text such as a pasted address, or null. */
export function findIdInText(text: string): string | null {
  return (
    text
      .toLowerCase()
      .split(/[\s/?#&=]+/)
      .find(isId) ?? null
  );
}
