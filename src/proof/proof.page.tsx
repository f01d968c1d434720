import type { ReactNode } from "react";
import { data } from "react-router";
import { findViewer, requireViewer, setEmailSetting } from "#accounts/accounts.server.ts";
import { formatDate, formatInstant } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import type { Route } from "./+types/proof.page.ts";
import { DAY_FILES, dayFilePath, VERIFIER_PATH } from "./check-day.ts";
import { countOf } from "./count-of.ts";
import { DayCheck } from "./day-check.ui.tsx";
import { formatDuration } from "./format-duration.ts";
import { readLogSummary } from "./read-summary.server.ts";
import {
  CheckpointEmailForm,
  type CheckpointEmailViewer,
} from "./timestamps/checkpoint-email-form.ui.tsx";
import { readCheckpointEmailSetting } from "./timestamps/checkpoint-email-settings.server.ts";

export const handle = { scriptStart: "use" };

const CACHE_SECONDS = 20;

export async function loader({ context }: Route.LoaderArgs) {
  const [log, viewer] = await Promise.all([readLogSummary(), readEmailViewer(context)]);
  return data(
    { log, viewer, appUrl: env().appUrl, at: now() },
    { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

async function readEmailViewer(
  context: Route.LoaderArgs["context"],
): Promise<CheckpointEmailViewer | null> {
  const viewer = await findViewer(context);
  if (!viewer) return null;
  const { id, email, emailVerified: isVerified } = viewer;
  return { email, isVerified, wantsEmail: await readCheckpointEmailSetting(id) };
}

/** Stores whether the viewer wants the day's checkpoint by email. */
export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  const wantsEmail = (await request.formData()).has("wantsEmail");
  if (wantsEmail && !viewer.emailVerified) return data({ ok: false }, { status: 409 });
  await setEmailSetting("checkpoint", viewer.id, wantsEmail);
  return data({ ok: true });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Check our record",
    description:
      "Every tip on Furlong is entered in a public, signed log that only grows. Check in your browser that no tip was changed, left out or added after the race.",
    path: "/proof",
  });
}

export default function Proof({
  loaderData: { log, viewer, appUrl, at },
  actionData,
}: Route.ComponentProps) {
  const currentTime = useMinute(at);
  return (
    <article className="max-w-[46rem]">
      <PageHeading
        kicker="Proof"
        lead="Every tip is entered in a public log. With the log you can check that we didn't change a tip, leave one out or add one after the race."
      >
        Check our record
      </PageHeading>
      <Section id="how" title="How it works">
        <ol className="list-decimal pl-6 [&_li]:pl-1 [&_li]:marker:text-ink-3 [&_li+li]:mt-1.5">
          <li>
            Within seconds of being published, a tip is entered in the log under a number. Its horse
            and its analysis appear there only as codes that give nothing away.
          </li>
          <li>
            The log only grows. Whenever it does, we sign a checkpoint: the number of entries, and a
            fingerprint of all of them.
          </li>
          <li>After the race every horse is revealed, losers like winners.</li>
          <li>
            A tipster's entries are numbered without gaps, so none can go missing. Count a tip that
            we don't reveal as a loser.
          </li>
          <li>Change, remove or add a single letter, and the fingerprint no longer fits.</li>
          <li>
            You don't need to believe us. Take the log and{" "}
            <a className="link" href={VERIFIER_PATH}>
              this short program
            </a>
            , and check it yourself.
          </li>
        </ol>
      </Section>
      <Clocks log={log} at={at} />

      {log?.stoppedSince ? (
        <div className="mt-4 border-l-4 border-danger-ink bg-danger-wash px-4 py-3 text-sm text-ink">
          <p>
            Nothing has been entered since {formatInstant(log.stoppedSince)}. Our copy of the log
            may be behind what others have seen of it. It resumes once we have compared the two.
          </p>
        </div>
      ) : null}
      {log && log.closedLogs > 0 ? (
        <p className="mt-4 text-sm">
          This is log number {log.closedLogs + 1}. The one before it could not be continued; its{" "}
          <a className="link" href={`/proof/closed/${log.closedLogs}/log/checkpoint`}>
            last checkpoint
          </a>{" "}
          and its files stay public.
        </p>
      ) : null}
      {log === null || log.size === 0 ? (
        <EmptyState title={log ? "The log is empty" : "No log yet"} className="mt-8">
          {log
            ? `It was started on ${formatInstant(log.startedAt)}. The first entries appear here within seconds of the first tip.`
            : "Tips are entered in the log from the day it is started."}
        </EmptyState>
      ) : (
        <>
          <Checkpoint log={log} />
          <Section id="days" title="Check a day">
            <p>
              Your browser downloads the day's files and the program, and checks them on your
              device. It checks that the entries fit the signed checkpoints, that numbers have no
              gaps, that no tip was entered after the off unless we call it late, that what was
              revealed is what was entered, and that every revealed tip is in our list of tips, also
              one that was hidden after its race.
            </p>
            <noscript>
              <p className="mt-3">
                Checking here needs JavaScript. Without it, download the files of a day, or check
                the whole log as described below.
              </p>
            </noscript>
            <ul className="mt-4 divide-y divide-rule border-y border-rule">
              {log.newestDates.map((day) => (
                <Day key={day.date} day={day} at={currentTime} />
              ))}
            </ul>
          </Section>
        </>
      )}

      <Section id="whole" title="Check the whole log">
        <p>
          With a copy of our source code, this command downloads the log from its first entry and
          checks all of it. Add the name of a folder to keep a copy:
        </p>
        <Code>node bin/furlong.mjs proof {appUrl}</Code>
        <p className="mt-3">
          A copy made before the off is the best evidence. If we ever rewrite the log, your copy no
          longer fits it and proves that we did.
        </p>
        <CheckTimestamp log={log} />
        <p className="mt-3">
          The program that does the checking is{" "}
          <a className="link" href={VERIFIER_PATH}>
            verify.js
          </a>
          , one file that needs nothing else, in a browser or in Node 20 and later. The{" "}
          <a className="link" href="/proof/log/checkpoint">
            newest checkpoint
          </a>{" "}
          and the{" "}
          <a className="link" href="/proof/keys">
            keys
          </a>{" "}
          have the formats of C2SP (tlog-tiles, signed-note), so other programs can read the log as
          well.
        </p>
      </Section>

      <Section id="email" title="Get the day's fingerprint by email">
        <p>
          On every race day we email that morning's checkpoint to all tipsters and analysts, before
          the first race. Everyone else can have it too. A copy in your mailbox is out of our hands:
          it shows when the tips were there, and that none of them changed since.
        </p>
        <div className="mt-4">
          <CheckpointEmailForm viewer={viewer} wasSaved={actionData?.ok ?? false} />
        </div>
      </Section>

      <Section id="limits" title="What this does not prove">
        <ul className="list-disc pl-5 [&_li]:pl-1 [&_li]:marker:text-ink-3 [&_li+li]:mt-1.5">
          <li>
            That our clock was right. The log shows the order of entries. That a tip was there in
            time is shown by a timestamp authority, or by a checkpoint that you, or someone you
            trust, kept before the off.
          </li>
          <li>
            That a result was entered correctly. A result names its source, so that you can compare
            it. How results are entered is in the <TextLink to="/rules">settlement rules</TextLink>.
          </li>
          <li>
            That a tipster has one name. Someone with several can tip several horses of a race. The
            log lists every creator for good, so names that were dropped stay visible.
          </li>
        </ul>
      </Section>
    </article>
  );
}

type Log = NonNullable<Route.ComponentProps["loaderData"]["log"]>;

/** Says which clock vouches for the times. */
function Clocks({ log, at }: { log: Log | null; at: Date }) {
  const timestamps = log?.newestTimestamps ?? [];
  const email = log?.newestEmail;
  return (
    <div className="mt-6 grid gap-2 border-l-4 border-green-ink bg-green-wash px-4 py-3 text-sm text-ink">
      {timestamps.length === 0 ? (
        <p>So far the times are by our own clock: no timestamp authority yet.</p>
      ) : (
        <>
          <p>
            The times are by our own clock, and by{" "}
            {countOf(timestamps.length, "timestamp authority", "timestamp authorities")}. These
            timestamp a tip with the first checkpoint after it, at most about half an hour later.
            Where an authority didn't answer, our own clock stands alone.
          </p>
          <ul aria-label="Timestamp authorities" className="list-disc pl-5">
            {timestamps.map(({ authority, size, claimedAt }) => (
              <li key={authority} className="wrap-anywhere">
                <strong className="font-semibold">{authority}</strong>, a timestamp authority:
                newest timestamp {formatDuration(Math.max(0, at.getTime() - claimedAt.getTime()))}{" "}
                ago (<time dateTime={claimedAt.toISOString()}>{formatInstant(claimedAt)}</time>), of{" "}
                {countOf(size, "entry", "entries")}
                {". Download the "}
                <a className="link" href={`/proof/checkpoints/${size}/${authority}.tsr`}>
                  timestamp
                </a>
                {" and its "}
                <a className="link" href={`/proof/checkpoints/${size}/checkpoint`}>
                  checkpoint
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {email ? (
        <p>
          We emailed the checkpoint of {formatDate(email.date)} to{" "}
          {countOf(email.recipients, "person", "people")} before the first race. Those copies are
          out of our hands.
        </p>
      ) : null}
    </div>
  );
}

/** How a timestamp is checked without us. The day check takes its time as we state it. */
function CheckTimestamp({ log }: { log: Log | null }) {
  const newest = log?.newestTimestamps[0];
  if (!newest) return null;
  return (
    <>
      <p className="mt-3">
        The checks take the times of timestamp authorities as we state them. To check a timestamp
        itself, download it with its checkpoint, and the certificate of the authority's root from
        the authority. Then run:
      </p>
      <Code>
        openssl ts -verify -data checkpoint -in {newest.authority}.tsr -CAfile AUTHORITY.pem
      </Code>
    </>
  );
}

function Checkpoint({ log }: { log: Log }) {
  const { newestCheckpoint: checkpoint, verifierKeys } = log;
  return (
    <Section id="checkpoint" title="The newest checkpoint">
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_minmax(0,1fr)] [&_dt]:font-semibold [&_dt]:text-ink [&_dd+dt]:mt-1 sm:[&_dd+dt]:mt-0">
        {checkpoint ? (
          <>
            <dt>Entries</dt>
            <dd>{formatInteger(checkpoint.size)}</dd>
            <dt>Signed</dt>
            <dd>
              <time dateTime={checkpoint.signedAt.toISOString()}>
                {formatInstant(checkpoint.signedAt)}
              </time>
            </dd>
            <dt>Fingerprint</dt>
            <dd>
              <Fingerprint>{checkpoint.root}</Fingerprint>
            </dd>
          </>
        ) : null}
        <dt>{verifierKeys.length === 1 ? "Key" : "Keys, newest last"}</dt>
        <dd>
          {verifierKeys.map((key) => (
            <Fingerprint key={key}>{key}</Fingerprint>
          ))}
        </dd>
        <dt>Tipsters and analysts</dt>
        <dd>{formatInteger(log.creators)}</dd>
        <dt>Log started</dt>
        <dd>
          <time dateTime={log.startedAt.toISOString()}>{formatInstant(log.startedAt)}</time>
        </dd>
      </dl>
    </Section>
  );
}

function Day({ day: { date, entries }, at }: { day: Log["newestDates"][number]; at: Date }) {
  const name = formatDate(date, "long");
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-cond text-lg font-bold text-ink">
          <time dateTime={date}>{name}</time>
        </h3>
        <p className="text-sm">{countOf(entries, "entry", "entries")}</p>
      </div>
      <ul
        aria-label={`Files of ${formatDate(date)}`}
        className="mt-1 flex flex-wrap gap-x-4 text-sm"
      >
        {DAY_FILES.map((file) => (
          <li key={file}>
            <a
              className="link inline-flex min-h-11 items-center sm:min-h-9"
              href={dayFilePath(date, file)}
            >
              {file}
            </a>
          </li>
        ))}
      </ul>
      <DayCheck date={date} entries={entries} at={at} />
    </li>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-9">
      <SectionHeading id={id}>{title}</SectionHeading>
      <div className="mt-2.5 text-ink-2">{children}</div>
    </section>
  );
}

function Fingerprint({ children }: { children: string }) {
  return <code className="block font-mono text-xs leading-5 break-all text-ink">{children}</code>;
}

function Code({ children }: { children: ReactNode }) {
  return (
    <code className="mt-3 block rounded-md border border-rule bg-well px-3 py-2.5 font-mono text-sm wrap-anywhere text-ink">
      {children}
    </code>
  );
}
