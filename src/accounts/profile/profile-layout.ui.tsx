import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { TextLink } from "#ui/text-link.tsx";

/** Narrow single-column layout of the profile pages. */
export function ProfileLayout({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <TextLink
        to="/profile"
        standalone
        className="inline-flex min-h-11 items-center gap-1.5 text-sm"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        Back to your profile
      </TextLink>
      <div className="scotch mt-3">
        <h1 className="mt-3 font-cond text-3xl font-bold tracking-[-0.015em]">{title}</h1>
        {lead ? <div className="mt-2 text-ink-2">{lead}</div> : null}
      </div>
      <div className="mt-6 grid gap-4">{children}</div>
    </div>
  );
}
