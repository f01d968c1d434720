import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { TextLink } from "#ui/text-link.tsx";

type AccountLayoutProps = {
  heading: ReactNode;
  lead?: ReactNode;
  backLink?: { to: string; label: string };
  children?: ReactNode;
};

/** Narrow single-column layout of the account pages. */
export function AccountLayout({
  heading,
  lead,
  backLink = { to: "/", label: "Back to Racing Tips" },
  children,
}: AccountLayoutProps) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <TextLink
        to={backLink.to}
        standalone
        className="inline-flex min-h-11 items-center gap-1.5 text-sm"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        {backLink.label}
      </TextLink>
      <div className="scotch mt-3">
        <h1 className="mt-3 font-cond text-3xl font-bold tracking-[-0.015em]">{heading}</h1>
        {lead ? <p className="mt-2 text-ink-2">{lead}</p> : null}
      </div>
      <div className="mt-6">{children}</div>
    </div>
  );
}
