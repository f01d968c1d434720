import { useEffect } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { ButtonLink } from "#ui/button-link.tsx";
import { buttonLook } from "#ui/button-look.ts";
import { EmptyDrawing, type EmptyDrawingKind } from "#ui/empty-drawing.tsx";
import { hasCopy } from "../offline/use-offline-copies.ts";

type Trouble = { drawing: EmptyDrawingKind; title: string; text: string; canRetry: boolean };

const notFound: Trouble = {
  drawing: "lost",
  title: "Oops! This track doesn't exist",
  text: "The page you're looking for seems to have left the paddock.",
  canRetry: false,
};
const unreadable: Trouble = {
  drawing: "error",
  title: "We could not read this request",
  text: "It contains a character that we cannot store. Go back and type the text again; nothing was saved.",
  canRetry: false,
};
const notYours: Trouble = {
  drawing: "post",
  title: "You don't have access to this page",
  text: "Log in with an account that has access, or go back to the home page.",
  canRetry: false,
};
const away: Trouble = {
  drawing: "error",
  title: "Furlong is temporarily unavailable",
  text: "We can't load this page right now. Please try again in a minute.",
  canRetry: true,
};
const tipsAway: Trouble = { ...away, title: "Failed to load tips. Please try again." };
const broken: Trouble = {
  drawing: "error",
  title: "Sorry, something went wrong",
  text: "We've logged the error. Please try again in a minute.",
  canRetry: true,
};
const offline: Trouble = {
  drawing: "offline",
  title: "No connection",
  text: "We couldn't load this page. Check your connection and try again.",
  canRetry: true,
};

/** Where race cards should stand. */
const HAS_TIPS = /^\/($|race-cards\/)/;

function troubleOf(error: unknown, pathname = ""): Trouble {
  if (isRouteErrorResponse(error)) {
    if (error.status === 404 || error.status === 405) return notFound;
    if (error.status === 400) return unreadable;
    if (error.status === 401 || error.status === 403) return notYours;
    if (error.status === 503) return HAS_TIPS.test(pathname) ? tipsAway : away;
    return broken;
  }
  // A fetch that never got an answer fails with a TypeError, in the browser only.
  return typeof window !== "undefined" && error instanceof TypeError && !navigator.onLine
    ? offline
    : broken;
}

/** The title of the page that tells of an error. */
export function errorTitle(error: unknown): string {
  return troubleOf(error).title;
}

/** What is shown in a page's place when it could not be made: never a stack, always a way out. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname } = useLocation();
  const trouble = troubleOf(error, pathname);
  useEffect(() => {
    if (trouble !== offline) return;
    // The page's data cannot be had, but the page itself was kept.
    hasCopy().then((isKept) => isKept && window.location.reload());
  }, [trouble]);
  return <TroublePage {...trouble} />;
}

/** The page of an address that leads nowhere. */
export function NotFoundPage() {
  return <TroublePage {...notFound} />;
}

function TroublePage({ drawing, title, text, canRetry }: Trouble) {
  const { pathname, search } = useLocation();
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-xl flex-col items-center justify-center px-4 py-16 text-center">
      <EmptyDrawing kind={drawing} className="h-36 w-auto" />
      <h1 className="mt-6 font-cond text-3xl font-bold tracking-[-0.015em]">{title}</h1>
      <p className="mt-2 text-ink-2">{text}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {canRetry ? (
          <a href={`${pathname}${search}`} className={buttonLook("secondary")}>
            Try again
          </a>
        ) : null}
        <ButtonLink to="/">Return to Home</ButtonLink>
      </div>
    </div>
  );
}
