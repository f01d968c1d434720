import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { TextLink } from "#ui/text-link.tsx";

type AccountSheetProps = {
  heading: ReactNode;
  lead?: ReactNode;
  back?: { to: string; label: string };
  children?: ReactNode;
};

/** Narrow single-column layout of the account pages. */
export function AccountLayout({
  heading,
  lead,
  back = { to: "/", label: "Back to Racing Tips" },
  children,
}: AccountSheetProps) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <TextLink
        to={back.to}
        standalone
        className="inline-flex min-h-11 items-center gap-1.5 text-sm"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        {back.label}
      </TextLink>
      <div className="scotch mt-3">
        <h1 className="mt-3 font-cond text-3xl font-bold tracking-[-0.015em]">{heading}</h1>
        {lead ? <p className="mt-2 text-ink-2">{lead}</p> : null}
      </div>
      <div className="mt-6">{children}</div>
    </div>
  );
}
