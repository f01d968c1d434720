import type { ReactNode } from "react";

export type EmptyDrawingKind =
  | "paddock"
  | "raceCard"
  | "search"
  | "ledger"
  | "post"
  | "offline"
  | "error"
  | "mail"
  | "lost";

const ground = <path d="M6 82h128" />;

const drawings: Record<EmptyDrawingKind, ReactNode> = {
  // the rail of an empty paddock, one feed bucket
  paddock: (
    <>
      {ground}
      <path d="M10 46h120M10 60h120" />
      <path d="M24 40v42M70 40v42M116 40v42" strokeWidth="3" />
      <path d="M86 68h18l-3 14H89Z" fill="var(--sheet)" />
      <path d="M86 68q9-13 18 0" />
      <path d="M30 82q2-6 1-9m3 9q0-5 3-7m10 7q-1-6-3-8" stroke="var(--green-ink)" />
    </>
  ),
  raceCard: (
    <>
      {ground}
      <path d="M44 12h46l8 8v62H44Z" fill="var(--sheet)" />
      <path d="M90 12v8h8" />
      <path d="M52 24h26" strokeWidth="3.5" />
      <path d="M52 32h38M52 45h8M66 45h24M52 56h8M66 56h18M52 67h8M66 67h22" />
      <path d="M108 82V44l4-8 4 8v38Z" fill="var(--green-wash)" stroke="var(--green-ink)" />
      <path d="M108 46h8" stroke="var(--green-ink)" />
    </>
  ),
  // racing glasses
  search: (
    <>
      {ground}
      <path d="M38 78 46 34h16l4 44Z" fill="var(--sheet)" />
      <path d="M102 78 94 34H78l-4 44Z" fill="var(--sheet)" />
      <path d="M46 34q-2-12 2-16h10q4 4 4 16M94 34q2-12-2-16H82q-4 4-4 16" fill="var(--sheet)" />
      <path d="M62 40h16v12H63" fill="var(--green-wash)" stroke="var(--green-ink)" />
      <path d="M36 78h32v4H36ZM72 78h32v4H72Z" fill="var(--ink)" />
      <path d="M48 18q-30 4-34 34t10 30" strokeDasharray="3 3" />
    </>
  ),
  ledger: (
    <>
      {ground}
      <path
        d="M70 28v54M70 28Q50 18 24 24v52q26-6 46 6 20-12 46-6V24Q90 18 70 28Z"
        fill="var(--sheet)"
      />
      <path d="M33 36q16-2 28 3M33 47q16-2 28 3M33 58q16-2 28 3" />
      <path
        d="M79 39q12-5 28-3M79 50q12-5 28-3M79 61q12-5 28-3"
        stroke="var(--green-ink)"
        strokeDasharray="2 4"
      />
    </>
  ),
  // a deserted winning post
  post: (
    <>
      {ground}
      <circle
        cx="70"
        cy="24"
        r="14"
        fill="var(--green-wash)"
        stroke="var(--green-ink)"
        strokeWidth="4"
      />
      <path d="M70 38v44" strokeWidth="4" />
      <path d="M8 66h54M78 66h54" />
      <path d="M22 66v16M48 66v16M92 66v16M118 66v16" />
    </>
  ),
  // a rail with a missing panel
  offline: (
    <>
      {ground}
      <path d="M8 48h38M94 48h38M8 62h34M98 62h34" />
      <path d="M24 42v40M116 42v40" strokeWidth="3" />
      <path d="m46 48 12 16m-16-2 8 12M94 48 84 66m14-4-6 13" />
      <path d="M58 24q12-10 24 0M63 31q7-6 14 0" stroke="var(--green-ink)" />
      <circle cx="70" cy="37" r="2" fill="var(--green-ink)" stroke="none" />
      <path d="M56 40 84 16" stroke="var(--danger-ink)" />
    </>
  ),
  // an overturned post
  error: (
    <>
      {ground}
      <path d="M20 80 88 44" strokeWidth="4" />
      <circle
        cx="100"
        cy="37"
        r="13"
        fill="var(--danger-wash)"
        stroke="var(--danger-ink)"
        strokeWidth="4"
      />
      <path d="M100 30v8M100 43v1" stroke="var(--danger-ink)" strokeWidth="3" />
      <path d="M26 82l-4-10M34 82l2-7M42 82l-2-5" stroke="var(--green-ink)" />
    </>
  ),
  mail: (
    <>
      {ground}
      <path d="M32 30h76v46H32Z" fill="var(--sheet)" />
      <path d="m32 30 38 28 38-28" />
      <circle
        cx="104"
        cy="30"
        r="12"
        fill="var(--green-wash)"
        stroke="var(--green-ink)"
        strokeWidth="2.5"
      />
      <path d="m98.5 30 4 4 7-8" stroke="var(--green-ink)" strokeWidth="2.5" />
    </>
  ),
  // an open gate with hoofprints leading out
  lost: (
    <>
      {ground}
      <path d="M34 38v44M106 38v44" strokeWidth="3.5" />
      <path d="M8 50h26M8 64h26M106 50h26M106 64h26" />
      <path d="M34 46 62 34v40L34 80M34 62l28-8" fill="none" />
      <path
        d="M78 76q-4-6 1-8 5 2 1 8M90 66q-4-5 1-7 4 2 1 7M84 55q-3-4 1-6 4 2 1 6"
        stroke="var(--green-ink)"
      />
    </>
  ),
};

/** A small illustration for an empty state, in the colours of the theme. */
export function EmptyDrawing({ kind, className }: { kind: EmptyDrawingKind; className?: string }) {
  return (
    <svg
      viewBox="0 0 140 90"
      width="140"
      height="90"
      className={className}
      aria-hidden="true"
      fill="none"
      stroke="var(--ink-2)"
      strokeWidth="2"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      {drawings[kind]}
    </svg>
  );
}
