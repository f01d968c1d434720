import { reauthenticate, type Viewer } from "#accounts/accounts.server.ts";
import { type CloseUserAccountResult, closeUserAccount } from "./close-user-account.server.ts";

export type DeleteAccountResult =
  | CloseUserAccountResult
  | { ok: false; refusal: "wrong-password" | "too-many-attempts" | "busy" };

/**
 * Closes the viewer's own account after verifying the password. `closeUserAccount` can refuse it
 * too.
 */
export async function deleteAccount(
  viewer: Viewer,
  password: string,
): Promise<DeleteAccountResult> {
  if (viewer.roles.some((role) => role !== "user")) return { ok: false, refusal: "has-a-role" };
  const check = await reauthenticate(viewer.id, password);
  if (check !== "correct") return { ok: false, refusal: check };
  return await closeUserAccount(viewer.id, viewer.id, "Deleted by the account holder");
}
