import * as v from "valibot";

/** Accepts the six digits of the app or the 36 of a recovery code, with any spacing. */
export const codeInput = v.object({
  code: v.pipe(
    v.string("Please enter your code"),
    v.trim(),
    v.minLength(1, "Please enter your code"),
    v.maxLength(100, "Enter a 6-digit code or a recovery code"),
  ),
});

/** Removes spaces and hyphens from a code. */
export function parseDigits(code: string): string {
  return code.replace(/[\s-]/g, "");
}
