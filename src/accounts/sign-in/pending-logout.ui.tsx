import { FormMessage } from "#ui/forms/form-message.tsx";
import { AccountLayout } from "../account-layout.ui.tsx";

/** Replaces every page after an offline logout. */
export function PendingLogout({ isComplete }: { isComplete: boolean }) {
  if (isComplete)
    return (
      <AccountLayout heading="You have been logged out">
        <div className="grid gap-4">
          <FormMessage type="success">
            Your session has ended. Nothing from your account is left in this browser.
          </FormMessage>
          <a href="/" className="link">
            Back to Racing Tips
          </a>
        </div>
      </AccountLayout>
    );
  return (
    <AccountLayout heading="You are logged out here">
      <FormMessage type="warning" title="No answer from our server">
        We cleared what this browser had kept. Your session ends when our server answers, on this
        page or the next time Furlong is opened in this browser.
      </FormMessage>
    </AccountLayout>
  );
}
