import { checkPassword, type Viewer } from "#identity/identity.server.ts";
import { type CloseUserAccountAnswer, closeUserAccount } from "./close-user-account.server.ts";

export type DeleteAccountAnswer =
  | CloseUserAccountAnswer
  | { ok: false; refusal: "wrong-password" | "too-many-tries" | "busy" };

/**
 * Closes a viewer's own account, who gives the password once more, under the rules of the operator's
 * closing: not with a role, with money due, or while a payment is disputed.
 */
export async function deleteAccount(
  viewer: Viewer,
  password: string,
): Promise<DeleteAccountAnswer> {
  if (viewer.roles.some((role) => role !== "user")) return { ok: false, refusal: "has-a-role" };
  const check = await checkPassword(viewer.id, password);
  if (check !== "right") return { ok: false, refusal: check };
  return await closeUserAccount(viewer.id, viewer.id, "Deleted by the account holder");
}
