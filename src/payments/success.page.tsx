import { createContext, redirect } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { pageMeta } from "#ui/page-meta.ts";
import type { Route } from "./+types/success.page.ts";
import { CheckoutOutcome } from "./checkout-outcome.ui.tsx";
import { PAID_PARAMETER } from "./notice-parameters.ts";
import { type CheckoutResult, resolveCheckout } from "./resolve-checkout.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Your payment",
    description: "The status of your payment.",
    isPrivate: true,
  });

const checkoutResult = createContext<CheckoutResult>();

/** Runs before all loaders, so that the frame shows the new balance and the signed-in user. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    const sessionId = new URL(request.url).searchParams.get("session_id");
    if (!sessionId) throw redirect("/");
    const viewer = await findViewer(context);
    const { result, headers } = await resolveCheckout(sessionId, { request, viewer });
    // Redirects after signing in, so that the next request has the cookie.
    if (headers)
      throw redirect(`/success?session_id=${encodeURIComponent(sessionId)}`, { headers });
    // The payment of a guest was for this race card, so they land on it.
    if (
      result.state === "paid" &&
      result.isSignedIn &&
      result.guest?.outcome === "new-account" &&
      result.raceCard?.state === "opened"
    )
      throw redirect(
        `/race-cards/${result.raceCard.id}?${PAID_PARAMETER}=${encodeURIComponent(sessionId)}`,
      );
    context.set(checkoutResult, result);
  },
];

export function loader({ context }: Route.LoaderArgs) {
  return { result: context.get(checkoutResult) };
}

/** Shows the result after the provider redirects back from its payment page. */
export default function Success({ loaderData }: Route.ComponentProps) {
  return <CheckoutOutcome result={loaderData.result} />;
}
