import { Form, useNavigation } from "react-router";
import * as v from "valibot";
import { requireViewer } from "#accounts/accounts.server.ts";
import { ProfileLayout } from "#accounts/accounts.ui.tsx";
import { formatCoins } from "#domain/coins.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import type { Route } from "./+types/claim-code.page.ts";
import { CLAIM_CODE_MAX_LENGTH, CLAIM_CODE_REFUSALS, claimCodeInput } from "./claim-code.input.ts";
import { redeemClaimCode } from "./redeem-claim-code.server.ts";

const input = v.object({ code: claimCodeInput });

export async function loader({ context, request }: Route.LoaderArgs) {
  await requireViewer(context, request);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  return await handleForm(await request.formData(), {
    input,
    run: ({ code }) => redeemClaimCode(viewer.id, code),
    done: ({ coins, repaidCoins }) => {
      const repaid =
        repaidCoins > 0
          ? ` ${formatCoins(repaidCoins)} repaid what you owed for opened race cards.`
          : "";
      return { ok: true as const, message: `We added ${formatCoins(coins)}.${repaid}` };
    },
    refusals: ({ refusal }) => {
      const [code, status] = CLAIM_CODE_REFUSALS[refusal];
      return { errors: { code }, status };
    },
  });
}

export const meta = () =>
  pageMeta({
    title: "Enter a claim code",
    description: "Add the coins of a closed account whose refund failed.",
    isPrivate: true,
  });

export default function ClaimCode({ actionData }: Route.ComponentProps) {
  const isPending = useNavigation().formAction === "/profile/claim-code";
  return (
    <ProfileLayout
      title="Enter a claim code"
      lead="You got a code when you closed an account. If the refund of its coins failed, the code adds them here."
    >
      {actionData?.ok ? <FormMessage type="success">{actionData.message}</FormMessage> : null}
      <Form method="post" className="grid gap-4">
        <TextField
          label="Claim code"
          name="code"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={CLAIM_CODE_MAX_LENGTH}
          placeholder="XXXX-XXXX-XXXX-XXXX-XXXX"
          error={actionData?.ok === false ? actionData.errors?.code : undefined}
        />
        <Button type="submit" pending={isPending} pendingLabel="Checking">
          Add coins
        </Button>
      </Form>
    </ProfileLayout>
  );
}
