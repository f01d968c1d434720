import { requireTwoStepAccess } from "#admin-kit/admin-kit.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { isAwaitingTwoStep } from "../invitations/admin-invitations.server.ts";
import { readTwoStep } from "../two-step/recovery-codes.server.ts";
import type { Route } from "./+types/two-step.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Two-step login",
    description: "Log in with a password and a code.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = await requireTwoStepAccess(context);
  const [twoStep, isAwaitingRole] = await Promise.all([
    readTwoStep(admin.id),
    isAwaitingTwoStep(admin.id),
  ]);
  return {
    twoStep,
    isAwaitingRole,
    isJustOff: new URL(request.url).searchParams.has("off") && !twoStep,
  };
}

/** Status of the admin's two-step login, with the available actions. */
export default function TwoStep({
  loaderData: { twoStep, isAwaitingRole, isJustOff },
}: Route.ComponentProps) {
  return (
    <div className="grid max-w-xl gap-4">
      {isJustOff ? <FormMessage type="success">Two-step login is off.</FormMessage> : null}
      <Panel title="Two-step login">
        {twoStep ? (
          <>
            <p className="text-ink-2">
              On since {formatInstant(twoStep.since)}. You need a code from your authenticator app
              every time you log in.{" "}
              {twoStep.remainingRecoveryCodes === 1
                ? "1 recovery code is left."
                : `${twoStep.remainingRecoveryCodes} recovery codes are left.`}
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
              {isAwaitingRole
                ? "You have accepted the admin role. Set up two-step login to open the admin area: when you log in, you also enter a code from an app on your phone."
                : "Two-step login is off. Turn it on so that no one can log in with your password alone: you also enter a code from an app on your phone."}
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
