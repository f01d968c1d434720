import { Badge } from "#ui/badge.tsx";
import type { ListedUser } from "../list-users.server.ts";

/** Badges for an account's roles and unconfirmed address. */
export function UserBadges({ user }: { user: Pick<ListedUser, "roles" | "emailVerified"> }) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1 sm:justify-start">
      {user.emailVerified ? null : <Badge tone="warn">Not confirmed</Badge>}
      {user.roles.map((role) => (
        <Badge key={role} tone={role === "admin" ? "solid" : "green"}>
          {role}
        </Badge>
      ))}
      {user.emailVerified && user.roles.length === 0 ? <Badge>User</Badge> : null}
    </span>
  );
}
