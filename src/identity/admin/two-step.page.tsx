import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { readTwoStep } from "../two-step/read-two-step.server.ts";
import type { Route } from "./+types/two-step.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Two-step sign-in",
    description: "A code after the password.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const twoStep = await readTwoStep(admin.id);
  return { twoStep, isJustOff: new URL(request.url).searchParams.has("off") && !twoStep };
}

/** Whether the admin signs in with a code too, and what can be done about it. */
export default function TwoStep({ loaderData: { twoStep, isJustOff } }: Route.ComponentProps) {
  return (
    <div className="grid max-w-xl gap-4">
      {isJustOff ? <FormMessage type="success">Two-step sign-in is off.</FormMessage> : null}
      <Panel title="Two-step sign-in">
        {twoStep ? (
          <>
            <p className="text-ink-2">
              On since {formatInstant(twoStep.since)}. Signing in asks for a code of your
              authenticator app after the password, at every door.{" "}
              {twoStep.recoveryCodesLeft === 1
                ? "1 recovery code is left."
                : `${twoStep.recoveryCodesLeft} recovery codes are left.`}
            </p>
            <div className="mt-4 flex flex-wrap gap-2">
              <ButtonLink to="/admin/two-step/recovery-codes" variant="secondary">
                New recovery codes
              </ButtonLink>
              <ButtonLink to="/admin/two-step/off" variant="secondary">
                Turn off
              </ButtonLink>
            </div>
          </>
        ) : (
          <>
            <p className="text-ink-2">
              Off. With it, whoever learns your password still cannot sign in: after the password
              comes a code that only the authenticator app on your phone knows.
            </p>
            <ButtonLink to="/admin/two-step/set-up" className="mt-4">
              Set up
            </ButtonLink>
          </>
        )}
      </Panel>
    </div>
  );
}
