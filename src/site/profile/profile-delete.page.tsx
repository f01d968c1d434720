import { data, Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import * as v from "valibot";
import { findViewer, requireViewer, signOut } from "#accounts/accounts.server.ts";
import { ProfileLayout, tooManyAttemptsMessage } from "#accounts/accounts.ui.tsx";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { type CoinsAtClosing, previewCoinsAtClosing } from "#payments/payments.server.ts";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/profile-delete.page.ts";
import { deleteAccount } from "./delete-account.server.ts";

const input = v.object(
  { confirmed: v.unknown(), password: v.fallback(v.string(), "") },
  // For a box that is not ticked.
  "Please tick the box to confirm",
);

const refusals = {
  "wrong-password": { errors: { password: "Current password is incorrect" } },
  "too-many-attempts": { errors: { password: tooManyAttemptsMessage() } },
  busy: { errors: { password: SERVER_BUSY_MESSAGE } },
  "has-a-role":
    "Your account also has a role. Admins step down first; tipsters and analysts contact us to close it.",
  "has-unpaid-earnings":
    "We still owe you earnings. You can delete your account once they are paid out.",
  disputed: "One of your payments is in dispute. You can delete your account once it is resolved.",
  "no-such-user": "This account is already closed.",
  "reason-missing": "Please try again.",
};

const NO_COINS: CoinsAtClosing = { refundedCoins: 0, refundedCents: 0, lapsedCoins: 0 };

export async function loader({ context, request }: Route.LoaderArgs) {
  // After the deletion there is no viewer, but the page still shows the confirmation.
  const viewer =
    (await findViewer(context)) ??
    (request.method === "GET" ? await requireViewer(context, request) : null);
  if (!viewer) return { coins: NO_COINS, role: null };
  const coins = await previewCoinsAtClosing(viewer.id);
  const isCreator = viewer.roles.some((role) => role === "tipster" || role === "analyst");
  const isAdmin = viewer.roles.includes("admin");
  return { coins, role: isAdmin ? "admin" : isCreator ? "creator" : null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  return await handleForm(await request.formData(), {
    input,
    run: ({ password }) => deleteAccount(viewer, password),
    done: async ({ claimCode, refundedCents }) => {
      const { headers } = await signOut(request);
      // Removes everything that identifies the former user in this browser.
      headers.set("Clear-Site-Data", '"cookies", "storage"');
      return data({ ok: true as const, claimCode, refundedCents }, { headers });
    },
    refusals,
  });
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export function shouldRevalidate({ actionResult }: ShouldRevalidateFunctionArgs) {
  return !actionResult?.ok;
}

export const meta = () =>
  pageMeta({
    title: "Delete account",
    description: "Permanently delete your account.",
    isPrivate: true,
  });

export default function ProfileDelete({ loaderData, actionData }: Route.ComponentProps) {
  const { coins, role } = loaderData;
  if (actionData?.ok) {
    return (
      <div className="mx-auto w-full max-w-md px-4 py-12">
        <h1 className="mb-4 font-cond text-3xl font-bold">Account deleted</h1>
        <FormMessage type="success">
          We've deleted your name, email address and password. The law requires us to keep payment
          records; they no longer carry your name.
        </FormMessage>
        {actionData.claimCode ? (
          <FormMessage
            type="info"
            className="mt-4"
            title={
              actionData.refundedCents > 0
                ? `We are refunding ${formatRand(actionData.refundedCents)}`
                : "We refund your payment when it arrives"
            }
          >
            The money goes back the way you paid. If the refund can't reach you, this claim code
            adds the same coins to another account within three years:
            <strong className="my-1 block select-all whitespace-nowrap fig">
              {actionData.claimCode}
            </strong>
            We have emailed you the code. We can't show it again.
          </FormMessage>
        ) : null}
        <ButtonLink to="/" className="mt-6">
          Return to Home
        </ButtonLink>
      </div>
    );
  }
  return (
    <ProfileLayout title="Delete account" lead="This can't be undone.">
      {role === "admin" ? (
        <FormMessage type="info" title="Step down as an admin first">
          You can't delete your account while you are an admin. Select Step down on the{" "}
          <TextLink to="/admin/admins">Admins</TextLink> page. If you are the last admin, invite
          another one first.
        </FormMessage>
      ) : role === "creator" ? (
        <FormMessage type="info" title="You can't delete this account here">
          Your account also has a tipster or analyst role.{" "}
          <TextLink to="/contact">Contact us</TextLink> and we'll pay your earnings, whatever the
          amount, and close it with you.
        </FormMessage>
      ) : (
        <DeleteForm coins={coins} refused={actionData} />
      )}
    </ProfileLayout>
  );
}

/** Returns what becomes of the coins, as sentences that end in a space. */
function describeCoins({ refundedCoins, refundedCents, lapsedCoins }: CoinsAtClosing): string {
  const refund =
    refundedCoins > 0
      ? `We refund ${formatRand(refundedCents)} for the ${formatCoins(refundedCoins)} you bought and didn't spend, the way you paid. `
      : "";
  const lapse = lapsedCoins > 0 ? `You will lose ${formatCoins(lapsedCoins)} you got free. ` : "";
  return `${refund}${lapse}` || "You have no coins. ";
}

type DeleteFormProps = { coins: CoinsAtClosing; refused: RefusedForm | undefined };

function DeleteForm({ coins, refused }: DeleteFormProps) {
  const isPending = useNavigation().formAction === "/profile/delete";
  return (
    <>
      {refused?.message ? (
        <FormMessage type="error" title="Your account was not deleted">
          {refused.message}
        </FormMessage>
      ) : null}
      <FormMessage type="warning" title="What happens to your coins and race cards">
        {describeCoins(coins)}You won't be able to read the race cards you opened. We delete your
        name and email address.
      </FormMessage>
      <Form method="post" className="grid gap-4">
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          error={refused?.errors?.password}
        />
        <CheckboxField
          name="confirmed"
          required
          label={
            coins.lapsedCoins > 0
              ? `I understand that I will lose ${formatCoins(coins.lapsedCoins)} and my race cards`
              : "I understand that I will lose my race cards"
          }
          error={refused?.errors?.confirmed}
        />
        <Button type="submit" variant="danger" pending={isPending} pendingLabel="Deleting">
          Delete account
        </Button>
      </Form>
    </>
  );
}
