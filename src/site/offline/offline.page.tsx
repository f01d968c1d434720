import { data } from "react-router";
import { OFFLINE_PAGE } from "#platform/offline.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { EmptyDrawing } from "#ui/empty-drawing.tsx";
import { Logo } from "#ui/logo.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";

export const meta = () =>
  pageMeta({
    title: "No connection",
    description: "Read the race cards saved on this device while you're offline.",
    isPrivate: true,
  });

export const loader = () => data(null, { headers: { "Cache-Control": "public, s-maxage=3600" } });
export const headers = ({ loaderHeaders }: { loaderHeaders: Headers }) => loaderHeaders;

/**
 * The service worker shows this page for a page that cannot be loaded. It fills in the list of
 * copies and removes the scripts.
 */
export default function OfflinePage() {
  return (
    <>
      <header className="bg-header text-on-header">
        <div className="mx-auto flex h-14 max-w-6xl items-center px-4 sm:px-6">
          <a href="/" className="inline-flex min-h-11 items-center no-underline">
            <Logo tone="light" />
          </a>
        </div>
      </header>
      <main className="mx-auto max-w-xl px-4 py-10">
        <div className="flex flex-col items-center text-center">
          <EmptyDrawing kind="offline" className="h-36 w-auto" />
          <h1 className="mt-6 font-cond text-3xl font-bold tracking-[-0.015em]">No connection</h1>
          <p className="mt-2 text-ink-2">
            We couldn't load this page. Check your connection and try again.
          </p>
          {/* The worker sets this to the URL that could not be loaded. */}
          <a href={OFFLINE_PAGE} className={`${buttonClasses("primary")} mt-6`}>
            Try again
          </a>
        </div>
        <section className="mt-10 hidden [html[data-has-copies]_&]:block">
          <SectionHeading>Saved on this device</SectionHeading>
          <ul
            data-copies
            className="[&_a]:flex [&_a]:min-h-11 [&_a]:items-center [&_a]:py-2 [&_a]:text-green-ink [&_li]:border-b [&_li]:border-rule"
          />
        </section>
      </main>
    </>
  );
}
