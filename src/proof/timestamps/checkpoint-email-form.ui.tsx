import { Form, useNavigation } from "react-router";
import { Button } from "#ui/button.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextLink } from "#ui/text-link.tsx";

/** What the form knows about the viewer, or null for a guest. */
export type CheckpointEmailViewer = {
  email: string;
  isVerified: boolean;
  wantsEmail: boolean;
};

/** The choice to get the day's checkpoint by email. Works without JavaScript. */
export function CheckpointEmailForm({
  viewer,
  wasSaved,
}: {
  viewer: CheckpointEmailViewer | null;
  wasSaved: boolean;
}) {
  const isPending = useNavigation().formAction === "/proof";
  if (!viewer)
    return (
      <p>
        <TextLink to="/login?return=%2Fproof">Log in</TextLink> to get it.
      </p>
    );
  if (!viewer.isVerified)
    return (
      <p>
        We can send it once you have confirmed your email address.{" "}
        <TextLink to="/check-your-email">Confirm it</TextLink>
      </p>
    );
  return (
    <Form
      method="post"
      action="/proof"
      preventScrollReset
      className="grid justify-items-start gap-3"
    >
      {wasSaved ? (
        <FormMessage type="success">
          {viewer.wantsEmail
            ? `Saved. We'll send the day's fingerprint to ${viewer.email}.`
            : "Saved. We won't send you the day's fingerprint."}
        </FormMessage>
      ) : null}
      <CheckboxField
        // Without a key, the box would keep its first state when the setting changes elsewhere.
        key={String(viewer.wantsEmail)}
        name="wantsEmail"
        label="Email me the day's fingerprint"
        hint={`To ${viewer.email}, once on a race day`}
        defaultChecked={viewer.wantsEmail}
      />
      <Button type="submit" variant="secondary" pending={isPending} pendingLabel="Saving">
        Save
      </Button>
    </Form>
  );
}
