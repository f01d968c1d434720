import { redirect } from "react-router";

/** Redirects to the code page after a correct password, with the return target. */
export function codeRedirect(target: string, headers: Headers): Response {
  return redirect(`/login/code?return=${encodeURIComponent(target)}`, { headers });
}
