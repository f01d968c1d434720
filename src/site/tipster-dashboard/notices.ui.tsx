import type { CreatorNotice } from "#creators/creators.server.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";

/** Notices about admins' recent changes to the creator's tips, earnings or account, newest first. */
export function Notices({ notices }: { notices: CreatorNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <section aria-labelledby="notices">
      <SectionHeading id="notices">Notices</SectionHeading>
      <ul className="mt-1">
        {notices.map(({ id, title, message, reason, createdAt }) => (
          <li key={id} className="border-b border-rule py-2 text-sm">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <strong className="font-semibold">{title}</strong>
              <DateTime at={createdAt} className="text-xs text-ink-2" />
            </p>
            <p className="mt-0.5 max-w-prose text-ink-2">
              {message.charAt(0).toUpperCase() + message.slice(1)}
            </p>
            {reason ? (
              <p className="mt-0.5 max-w-prose break-words">
                <span className="text-ink-3">Reason:</span> {reason}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
