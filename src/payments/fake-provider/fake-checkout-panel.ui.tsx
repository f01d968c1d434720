import type { ReactNode } from "react";
import { Logo } from "#ui/logo.tsx";

/** The frame of the fake provider's pages, clearly marked as a demo. */
export function FakeCheckoutPanel({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-dvh">
      <header className="bg-header text-on-header">
        <div className="mx-auto flex max-w-4xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-2.5 sm:px-6">
          <a href="/" className="rounded-sm">
            <Logo tone="light" />
          </a>
          <p className="text-sm">
            <strong>Demo payment page.</strong> No real payment is made.
          </p>
        </div>
      </header>
      <main className="mx-auto max-w-4xl px-4 py-6 sm:px-6">{children}</main>
    </div>
  );
}
