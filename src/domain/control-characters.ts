const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Returns true when a text has line breaks, other control characters, or invisible formatting
 * characters such as right-to-left overrides. Another program may read them as the end of a field
 * or line.
 */
export function hasControlCharacters(text: string): boolean {
  return CONTROL_CHARACTERS.test(text);
}
