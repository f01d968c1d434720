const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Whether a text has line breaks, other control characters, or invisible formatting characters such as
 * those that reverse the reading direction: what another program may read as the end of a field or line.
 */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text);
}
