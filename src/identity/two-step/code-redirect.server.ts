import { redirect } from "react-router";

/** Leads whoever has given the right password to where the code is asked, and on to the target from there. */
export function codeRedirect(target: string, headers: Headers): Response {
  return redirect(`/login/code?return=${encodeURIComponent(target)}`, { headers });
}
