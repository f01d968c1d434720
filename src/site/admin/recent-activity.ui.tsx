import { FormMessage } from "#ui/forms/form-message.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { TodayData } from "./today.page.tsx";

/** The newest purchases, opened race cards and accounts. */
export function RecentActivity({ activity }: Pick<TodayData, "activity">) {
  return (
    <section className="grid gap-3">
      <SectionHeading>As it happens</SectionHeading>
      {activity === null ? (
        <FormMessage type="error">Failed to load what happened. Please try again.</FormMessage>
      ) : activity.length === 0 ? (
        <p className="text-sm text-ink-2">No purchases, opened race cards or accounts yet.</p>
      ) : (
        <ol className="divide-y divide-rule text-sm">
          {activity.map(({ key, at, text, path }) => (
            <li key={key} className="grid py-1.5 wrap-anywhere">
              <span className="text-xs text-ink-2">
                <DateTime at={at} />
              </span>
              <TextLink to={path} standalone>
                {text}
              </TextLink>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
