import * as v from "valibot";

export const MAX_CODE_LENGTH = 100;

/** Accepts the six digits of the app or the 36 of a recovery code, with any spacing. */
export const codeInput = v.object({
  code: v.pipe(
    v.string("Please enter your code"),
    v.trim(),
    v.minLength(1, "Please enter your code"),
    v.maxLength(MAX_CODE_LENGTH, "Enter a 6-digit code or a recovery code"),
  ),
});

/** Removes spaces and hyphens from a code. */
export function parseDigits(code: string): string {
  return code.replace(/[\s-]/g, "");
}
