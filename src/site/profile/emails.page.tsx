import { data, Form, useNavigation } from "react-router";
import { requireViewer, setEmailSetting } from "#accounts/accounts.server.ts";
import { ProfileLayout } from "#accounts/accounts.ui.tsx";
import { readCheckpointEmailSetting } from "#proof/proof.server.ts";
import { readResultsEmailSetting } from "#sales/sales.server.ts";
import { Button } from "#ui/button.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/emails.page.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { id, email, emailVerified } = await requireViewer(context, request);
  return { email, isVerified: emailVerified, ...(await readSettings(id)) };
}

async function readSettings(userId: string) {
  const [results, checkpoint] = await Promise.all([
    readResultsEmailSetting(userId),
    readCheckpointEmailSetting(userId),
  ]);
  return { results, checkpoint };
}

/** Stores the settings that change. The others keep their default, which can change with the roles of the viewer. */
export async function action({ context, request }: Route.ActionArgs) {
  const { id } = await requireViewer(context, request);
  const form = await request.formData();
  const settings = await readSettings(id);
  for (const list of ["results", "checkpoint"] as const)
    if (form.has(list) !== settings[list]) await setEmailSetting(list, id, form.has(list));
  return data({ ok: true });
}

export const meta = () =>
  pageMeta({
    title: "Email settings",
    description: "Which emails you get from us.",
    isPrivate: true,
  });

/** The emails that the viewer can stop. Works without JavaScript. */
export default function ProfileEmails({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isVerified, results, checkpoint } = loaderData;
  const isPending = useNavigation().formAction === "/profile/emails";
  return (
    <ProfileLayout
      title="Email settings"
      lead="Receipts and emails about your account, coins and scratched horses always come."
    >
      {isVerified ? null : (
        <FormMessage type="info">
          We send these once you have confirmed your email address.{" "}
          <TextLink to="/check-your-email">Confirm it</TextLink>
        </FormMessage>
      )}
      {actionData ? <FormMessage type="success">Email settings saved.</FormMessage> : null}
      <Form method="post" className="grid justify-items-start gap-4">
        <CheckboxField
          // Without a key, the box would keep its first state when the setting changes elsewhere.
          key={`results ${results}`}
          name="results"
          label="The results of my race cards"
          hint={`To ${email}, in the evening of a day for which you opened race cards`}
          defaultChecked={results}
        />
        <CheckboxField
          key={`checkpoint ${checkpoint}`}
          name="checkpoint"
          label="The day's fingerprint"
          hint="Before the first race, so that you can check our record yourself"
          defaultChecked={checkpoint}
        />
        <Button type="submit" pending={isPending} pendingLabel="Saving">
          Save email settings
        </Button>
      </Form>
    </ProfileLayout>
  );
}
