import { useEffect } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { OVERLOADED } from "#platform/busy-message.ts";
import { REFUSALS } from "#platform/http/refusals.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyDrawing, type EmptyDrawingKind } from "#ui/empty-drawing.tsx";
import { hasCopies } from "../offline/use-offline-copies.ts";

type ErrorDetails = { drawing: EmptyDrawingKind; title: string; text: string; canRetry: boolean };

const notFound: ErrorDetails = {
  drawing: "lost",
  title: "Oops! This track doesn't exist",
  text: "The page you're looking for seems to have left the paddock.",
  canRetry: false,
};
const badRequest: ErrorDetails = {
  drawing: "error",
  title: "We could not read this request",
  text: "It contains a character that we cannot store. Go back and type the text again; nothing was saved.",
  canRetry: false,
};
const tooLarge: ErrorDetails = {
  drawing: "error",
  title: "That is too much to send at once",
  text: "Nothing was saved. Go back, shorten your text or choose a smaller file, and send it again.",
  canRetry: false,
};
const crossSite: ErrorDetails = {
  drawing: "post",
  title: "We refused this request",
  text: "It came from another website, so nothing was changed. Open the page here and send it again.",
  canRetry: false,
};
const notAForm: ErrorDetails = {
  drawing: "error",
  title: "We could not read this request",
  text: "It was not sent as a form. Go back and send it again; nothing was saved.",
  canRetry: false,
};
const forbidden: ErrorDetails = {
  drawing: "post",
  title: "You don't have access to this page",
  text: "Log in with an account that has access, or go back to the home page.",
  canRetry: false,
};
const unavailable: ErrorDetails = {
  drawing: "error",
  title: "Furlong is temporarily unavailable",
  text: "We can't load this page right now. Please try again in a minute.",
  canRetry: true,
};
const overloaded: ErrorDetails = {
  ...unavailable,
  title: "Furlong is very busy",
  text: "We can't load this page right now. Please try again in a few seconds.",
};
const internalError: ErrorDetails = {
  drawing: "error",
  title: "Sorry, something went wrong",
  text: "We've logged the error. Please try again in a minute.",
  canRetry: true,
};
const offline: ErrorDetails = {
  drawing: "offline",
  title: "No connection",
  text: "We couldn't load this page. Check your connection and try again.",
  canRetry: true,
};

const TIPS_UNAVAILABLE = "Failed to load tips. Please try again.";

/** Paths of pages that show race cards. */
const SHOWS_RACE_CARDS = /^\/($|race-cards\/)/;

function describeError(error: unknown, pathname = ""): ErrorDetails {
  if (isRouteErrorResponse(error)) {
    if (error.status === 404 || error.status === 405) return notFound;
    if (error.status === 400) return badRequest;
    if (error.status === 413) return tooLarge;
    if (error.status === 415) return notAForm;
    if (error.statusText === REFUSALS["cross-site"].statusText) return crossSite;
    if (error.status === 401 || error.status === 403) return forbidden;
    if (error.status === 503) {
      const details = error.statusText === OVERLOADED ? overloaded : unavailable;
      return SHOWS_RACE_CARDS.test(pathname) ? { ...details, title: TIPS_UNAVAILABLE } : details;
    }
    return internalError;
  }
  // A fetch without a response throws a TypeError, in the browser only.
  return typeof window !== "undefined" && error instanceof TypeError && !navigator.onLine
    ? offline
    : internalError;
}

/** Returns the title of an error page. */
export function errorTitle(error: unknown): string {
  return describeError(error).title;
}

/** Replaces a page that failed. Never shows a stack trace. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname } = useLocation();
  const details = describeError(error, pathname);
  useEffect(() => {
    if (details !== offline) return;
    // The data request failed, but the service worker has a copy of the page or lists the copies that it has.
    hasCopies().then((hasSome) => hasSome && window.location.reload());
  }, [details]);
  return <ErrorMessage {...details} />;
}

/** The 404 page. */
export function NotFoundPage() {
  return <ErrorMessage {...notFound} />;
}

function ErrorMessage({ drawing, title, text, canRetry }: ErrorDetails) {
  const { pathname, search } = useLocation();
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-xl flex-col items-center justify-center px-4 py-16 text-center">
      <EmptyDrawing kind={drawing} className="h-36 w-auto" />
      <h1 className="mt-6 font-cond text-3xl font-bold tracking-[-0.015em]">{title}</h1>
      <p className="mt-2 text-ink-2">{text}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {canRetry ? (
          <a href={`${pathname}${search}`} className={buttonClasses("secondary")}>
            Try again
          </a>
        ) : null}
        <ButtonLink to="/">Return to Home</ButtonLink>
      </div>
    </div>
  );
}
