import { useRef, useState } from "react";
import { type CalendarDate, formatDate } from "#domain/calendar.ts";
import type { Verification } from "#domain/proof/verify-log.js";
import { Button } from "#ui/button.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { Field } from "#ui/forms/field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { checkDay, loadVerifier } from "./check-day.ts";
import { countOf } from "./count-of.ts";

type CheckState =
  | { phase: "idle" | "running" | "failed" | "unsupported" }
  | { phase: "done"; verification: Verification };

/** More findings than these would be of no more use. */
const MAX_LISTED_FINDINGS = 50;

type DayCheckProps = {
  date: CalendarDate;
  entries: number;
  /** The server's time, because the viewer's clock may be wrong. */
  at: Date;
};

/** A button that checks a day's entries in the browser, and the result. */
export function DayCheck({ date, entries, at }: DayCheckProps) {
  const [state, setState] = useState<CheckState>({ phase: "idle" });
  const attempts = useRef(0);
  const keptFile = useRef<HTMLInputElement>(null);

  async function check() {
    // Browsers offer the hash functions to secure pages only.
    if (!window.crypto?.subtle) return setState({ phase: "unsupported" });
    setState({ phase: "running" });
    attempts.current += 1;
    try {
      const verifier = await loadVerifier(attempts.current);
      const kept = (await keptFile.current?.files?.[0]?.text()) ?? null;
      setState({ phase: "done", verification: await checkDay(date, verifier, at, kept) });
    } catch {
      setState({ phase: "failed" });
    }
  }

  const label = state.phase === "failed" ? "Try again" : "Check this day";
  return (
    <>
      <Button
        variant="secondary"
        className="mt-2 noscript:hidden"
        aria-label={`${label}: ${formatDate(date)}`}
        pending={state.phase === "running"}
        pendingLabel={`Checking ${formatDate(date)}`}
        onClick={check}
      >
        {label}
      </Button>
      <details className="mt-2 text-sm noscript:hidden">
        <summary className="tap cursor-pointer">Compare with your own copy</summary>
        <Field
          className="mt-2"
          label="Your copy of entries.jsonl"
          hint="Download the file today and keep it. Later the check names every entry that was changed or dropped since."
        >
          {(attributes) => (
            <input
              {...attributes}
              ref={keptFile}
              type="file"
              accept=".jsonl"
              className="max-w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-sm file:border file:border-ink-2 file:bg-transparent file:px-4 file:font-semibold file:text-ink"
            />
          )}
        </Field>
      </details>
      <div aria-live="polite">
        {state.phase === "running" ? (
          <p className="mt-2 text-sm text-ink-2">
            Downloading and checking {countOf(entries, "entry", "entries")} …
          </p>
        ) : null}
      </div>
      {state.phase === "failed" ? (
        <FormMessage type="error" className="mt-2">
          The day's files could not be loaded, so nothing was checked. Check your connection and try
          again.
        </FormMessage>
      ) : null}
      {state.phase === "unsupported" ? (
        <FormMessage type="error" className="mt-2">
          Your browser cannot check a day on this page. Browsers allow it over HTTPS only.
        </FormMessage>
      ) : null}
      {state.phase === "done" ? <DayResult verification={state.verification} /> : null}
    </>
  );
}

function DayResult({ verification }: { verification: Verification }) {
  const { findings, signaturesChecked } = verification;
  const counts = [
    countOf(verification.entries, "entry", "entries"),
    countOf(verification.checkpoints, "checkpoint"),
    countOf(verification.tips, "tip"),
    verification.due > 0
      ? `${formatInteger(verification.revealed)} of ${formatInteger(verification.due)} due ones revealed`
      : "none due to be revealed yet",
    ...(verification.withdrawnLater > 0
      ? [`${countOf(verification.withdrawnLater, "tip")} hidden or deleted after the off`]
      : []),
    ...(verification.timestamped > 0
      ? [
          `${formatInteger(verification.timestamped)} of ${formatInteger(verification.tips)} seen by a timestamp authority before the off`,
        ]
      : []),
  ].join(", ");
  const unlisted = findings.length - MAX_LISTED_FINDINGS;
  return (
    <>
      {findings.length === 0 ? (
        <FormMessage type="success" className="mt-2">
          {counts}. Nothing wrong found.
        </FormMessage>
      ) : (
        <FormMessage
          type="error"
          title={`${countOf(findings.length, "finding")}: this day does not hold`}
          className="mt-2"
        >
          <p>{counts}.</p>
          <ul className="mt-1.5 list-disc space-y-1 pl-5 wrap-anywhere">
            {findings.slice(0, MAX_LISTED_FINDINGS).map(({ kind, message }) => (
              <li key={`${kind} ${message}`}>
                <strong className="font-semibold">{kind}</strong>: {message}
              </li>
            ))}
            {unlisted > 0 ? <li>{formatInteger(unlisted)} more</li> : null}
          </ul>
        </FormMessage>
      )}
      {signaturesChecked ? null : (
        <FormMessage type="warning" className="mt-2">
          Your browser cannot check the signature. Whether we signed these checkpoints was not
          checked; everything else was.
        </FormMessage>
      )}
    </>
  );
}
