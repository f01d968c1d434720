import { listUsersWithRole, readUsers } from "#accounts/accounts.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";

export type AuditedAdmin = { id: string; name: string; isFormer: boolean };

/** Lists the admins, then the former admins of the last 100 removals. */
export async function listAuditedAdmins(): Promise<AuditedAdmin[]> {
  const [admins, { entries: removals }] = await Promise.all([
    listUsersWithRole("admin"),
    readAudit({ action: "remove-admin", limit: 100 }),
  ]);
  const ids = new Set(admins.map(({ id }) => id));
  const formerIds = removals.map(({ subject }) => subject).filter((id) => !ids.has(id));
  const former = await readUsers([...new Set(formerIds)]);
  return [
    ...admins.map(({ id, name }) => ({ id, name, isFormer: false })),
    ...[...former.values()].map(({ id, name }) => ({ id, name, isFormer: true })),
  ];
}
