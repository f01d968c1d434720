import type { ComponentProps } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { AccountLayout } from "../account-layout.ui.tsx";
import { useFocusFirstError } from "../use-focus.ts";

type AcceptInvitationProps = ComponentProps<typeof AccountLayout> & {
  result: { message?: string } | undefined;
  createsAccount?: boolean;
};

/** The page on which someone accepts a role, in its words. `children` are the fields that it needs. */
export function AcceptInvitation({
  result,
  createsAccount = false,
  children,
  ...layout
}: AcceptInvitationProps) {
  const isPending = useNavigation().formMethod === "POST";
  const form = useFocusFirstError(result);
  const pendingLabel = createsAccount ? "Creating" : "Accepting";
  return (
    <AccountLayout {...layout}>
      <Form ref={form} method="post" noValidate className="grid gap-4">
        {result?.message ? <FormMessage type="error">{result.message}</FormMessage> : null}
        {children}
        <Button type="submit" size="large" wide pending={isPending} pendingLabel={pendingLabel}>
          {createsAccount ? "Create account and accept" : "Accept the role"}
        </Button>
      </Form>
    </AccountLayout>
  );
}
