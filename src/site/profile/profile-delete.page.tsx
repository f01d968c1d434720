import { data, Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { coinsCents } from "#domain/coin-packs.ts";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { findViewer, requireViewer, signOut } from "#identity/identity.server.ts";
import { ProfileLayout, tooManyAttemptsMessage } from "#identity/identity.ui.tsx";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { usePrices } from "#ui/prices.ts";
import { TextLink } from "#ui/text-link.tsx";
import { readWallet } from "#wallet/wallet.server.ts";
import type { Route } from "./+types/profile-delete.page.ts";
import { deleteAccount } from "./delete-account.server.ts";

const passwordErrors = {
  "wrong-password": "Current password is incorrect",
  "too-many-attempts": tooManyAttemptsMessage(),
  busy: SERVER_BUSY_MESSAGE,
};

const refusalMessages = {
  "has-a-role":
    "Your account also has a role. Admins step down first; tipsters and analysts contact us to close it.",
  "has-unpaid-earnings":
    "We still owe you earnings. You can delete your account once they are paid out.",
  disputed: "One of your payments is in dispute. You can delete your account once it is resolved.",
  "no-such-user": "This account is already closed.",
  "reason-missing": "Please try again.",
};

export async function loader({ context, request }: Route.LoaderArgs) {
  // After the deletion there is no viewer, but the page still shows the confirmation.
  const viewer =
    (await findViewer(context)) ??
    (request.method === "GET" ? await requireViewer(context, request) : null);
  if (!viewer) return { coins: 0, role: null };
  const { balanceCoins } = await readWallet(viewer.id);
  const isCreator = viewer.roles.some((role) => role === "tipster" || role === "analyst");
  const isAdmin = viewer.roles.includes("admin");
  return { coins: balanceCoins, role: isAdmin ? "admin" : isCreator ? "creator" : null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  const form = await request.formData();
  if (!form.has("confirmed"))
    return data(
      {
        ok: false,
        confirmed: "Please tick the box to confirm",
        password: undefined,
        message: undefined,
      },
      { status: 422 },
    );
  const result = await deleteAccount(viewer, readField(form, "password"));
  if (result.ok) {
    const { headers } = await signOut(request);
    // Removes everything that identifies the former user in this browser.
    headers.set("Clear-Site-Data", '"cookies", "storage"');
    return data(
      { ok: true, confirmed: undefined, password: undefined, message: undefined },
      { headers },
    );
  }
  const { refusal } = result;
  if (refusal in passwordErrors) {
    const password = passwordErrors[refusal as keyof typeof passwordErrors];
    return data({ ok: false, confirmed: undefined, password, message: undefined }, { status: 422 });
  }
  const message = refusalMessages[refusal as keyof typeof refusalMessages];
  return data({ ok: false, confirmed: undefined, password: undefined, message }, { status: 409 });
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
          <TextLink to="/contact">Contact us</TextLink> and we'll pay your earnings and close it
          with you.
        </FormMessage>
      ) : (
        <DeleteForm coins={coins} errors={actionData} />
      )}
    </ProfileLayout>
  );
}

function DeleteForm({
  coins,
  errors,
}: {
  coins: number;
  errors: { confirmed?: string; password?: string; message?: string } | undefined;
}) {
  const isPending = useNavigation().formAction === "/profile/delete";
  const prices = usePrices();
  return (
    <>
      {errors?.message ? (
        <FormMessage type="error" title="Your account was not deleted">
          {errors.message}
        </FormMessage>
      ) : null}
      <FormMessage type="warning" title="What you will lose">
        {coins > 0
          ? `You will lose ${formatCoins(coins)} (${formatRand(coinsCents(prices, coins))} at ${formatRand(coinsCents(prices, 1))} a coin). `
          : "You have no coins. "}
        You won't be able to read the race cards you opened. We delete your name and email address.
      </FormMessage>
      <Form method="post" className="grid gap-4">
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          error={errors?.password}
        />
        <CheckboxField
          name="confirmed"
          required
          label={
            coins > 0
              ? `I understand that I will lose my ${formatCoins(coins)} and my race cards`
              : "I understand that I will lose my race cards"
          }
          error={errors?.confirmed}
        />
        <Button type="submit" variant="danger" pending={isPending} pendingLabel="Deleting">
          Delete account
        </Button>
      </Form>
    </>
  );
}
