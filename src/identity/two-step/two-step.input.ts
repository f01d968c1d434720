import * as v from "valibot";

/** What stands for the app's code: its six digits, or the 36 of a recovery code, however spaced. */
export const codeInput = v.object({
  code: v.pipe(
    v.string("Please enter your code"),
    v.trim(),
    v.minLength(1, "Please enter your code"),
    v.maxLength(100, "Enter a 6-digit code or a recovery code"),
  ),
});

/** A code without the spaces and hyphens people put in. */
export function parseDigits(code: string): string {
  return code.replace(/[\s-]/g, "");
}
