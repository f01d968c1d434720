import { Eye, EyeOff, Trash2 } from "lucide-react";
import { AdminActionButton, AdminActionForm } from "#admin-kit/admin-kit.ui.tsx";
import { timeAt } from "#domain/calendar.ts";
import type { TipResult } from "#domain/tip.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Confidence } from "#ui/racing/confidence.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { DateTime, RaceTime } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { ScratchedHorse } from "#ui/racing/scratched-horse.tsx";
import type { AdminTip } from "../list-tips.server.ts";
import { type UnconfirmedEntry, UnconfirmedTipResult } from "./unconfirmed-tip-result.ui.tsx";

type PanelTip = AdminTip & {
  /** What another admin must enter too. */
  unconfirmed: UnconfirmedEntry | null;
  history: { result: TipResult | null; reason: string; at: Date; by: string }[];
};

/** One tip with all its details and the admin actions. */
export function TipPanel({ tip }: { tip: PanelTip }) {
  return (
    <article className="@container rounded-md border border-rule bg-sheet">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-rule px-4 py-3">
        <NumberCloth number={tip.raceNumber} />
        <RaceTime time={tip.offAt ? timeAt(new Date(tip.offAt)) : null} date={tip.raceDate} />
        <h3 className="min-w-0 flex-1 basis-40 font-semibold">
          <span className="font-cond">#{tip.horseNumber}</span>{" "}
          <ScratchedHorse isScratched={tip.scratchedAt !== null}>{tip.horseName}</ScratchedHorse>
          <span className="ml-2 text-sm font-normal text-ink-2">{tip.tipType}</span>
        </h3>
        <Confidence level={tip.confidence} />
        <span>
          <ResultBadge result={tip.result} />
          <ResultBasis result={tip.result} basis={tip} />
        </span>
        <TipStatus tip={tip} />
      </div>
      <div className="grid gap-4 p-4 @3xl:grid-cols-2">
        <div className="grid content-start gap-2 text-sm">
          <p className="max-w-prose whitespace-pre-line">{tip.analysis}</p>
          <p className="text-xs text-ink-3">
            Published <DateTime at={tip.publishedAt} />
            {tip.isLate ? "; late, doesn't count in the record" : ""}
          </p>
          {tip.history.length > 0 ? <History entries={tip.history} /> : null}
        </div>
        <div className="grid content-start gap-3">
          {tip.isOfficial ? (
            <p className="text-sm text-ink-2">
              This tip follows the official result of its race. To change it, correct the result of
              the race.
            </p>
          ) : (
            <>
              {tip.unconfirmed ? (
                <UnconfirmedTipResult entry={tip.unconfirmed} what="entered a result" />
              ) : null}
              {tip.unconfirmed?.mayConfirm === false ? null : <ResultForm tip={tip} />}
            </>
          )}
          {tip.isDeleted ? null : <TipActions tip={tip} />}
        </div>
      </div>
    </article>
  );
}

function TipStatus({ tip }: { tip: PanelTip }) {
  if (tip.isDeleted) return <Badge tone="danger">Deleted</Badge>;
  return tip.isHidden ? <Badge>Hidden</Badge> : <Badge tone="green">Visible</Badge>;
}

function History({ entries }: { entries: PanelTip["history"] }) {
  return (
    <ol className="grid gap-1 border-l-2 border-rule pl-3 text-xs text-ink-2">
      {entries.map((entry) => (
        <li key={`${new Date(entry.at).toISOString()}-${entry.result}`}>
          <strong className="font-semibold text-ink">{entry.result ?? "removed"}</strong> by{" "}
          {entry.by}, <DateTime at={entry.at} />
          {entry.reason ? `: ${entry.reason}` : ""}
        </li>
      ))}
    </ol>
  );
}

function ResultForm({ tip }: { tip: PanelTip }) {
  const isFirstEntry = tip.result === null || tip.isClaim;
  const options = [
    ...(tip.canSettle
      ? [
          { value: "won", label: tip.tipType === "win" ? "Won" : "Won (placed)" },
          { value: "lost", label: "Lost" },
        ]
      : []),
    { value: "void", label: "Void" },
    // The result that the tipster marked can be confirmed.
  ].filter((option) => tip.isClaim || option.value !== tip.result);
  return (
    <AdminActionForm
      key={`${tip.result} ${tip.unconfirmed?.id}`}
      action={`/admin/tips/${tip.id}/result`}
      fields={tip.unconfirmed ? { reason: tip.unconfirmed.reason } : undefined}
      className="grid grid-cols-[minmax(7rem,1fr)_2fr] items-end gap-2 @sm:grid-cols-[8rem_1fr_auto]"
    >
      {(isPending) => (
        <>
          <SelectField
            label={isFirstEntry ? "Result" : "Correct to"}
            name="result"
            required
            placeholder="Select"
            options={options}
          />
          {tip.unconfirmed ? null : (
            <TextField label="Reason" name="reason" required maxLength={300} />
          )}
          <Button
            type="submit"
            variant="secondary"
            pending={isPending}
            className="col-span-full @sm:col-auto"
          >
            {tip.unconfirmed ? "Confirm result" : isFirstEntry ? "Enter result" : "Correct result"}
          </Button>
          {tip.canSettle ? null : (
            <p className="col-span-full text-xs text-ink-3">
              You can enter won or lost after the off.
            </p>
          )}
        </>
      )}
    </AdminActionForm>
  );
}

function TipActions({ tip }: { tip: PanelTip }) {
  return (
    <div className="flex flex-wrap gap-2">
      <AdminActionButton
        action={`/admin/tips/${tip.id}/visibility`}
        fields={{ active: tip.isHidden ? "yes" : "no" }}
        variant="quiet"
        icon={tip.isHidden ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
      >
        {tip.isHidden ? "Show" : "Hide"}
      </AdminActionButton>
      <AdminActionButton
        action={`/admin/tips/${tip.id}/delete`}
        variant="quiet"
        icon={<Trash2 aria-hidden="true" />}
      >
        Delete
      </AdminActionButton>
    </div>
  );
}
