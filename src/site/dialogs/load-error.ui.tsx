import { Button } from "#ui/button.tsx";
import type { LoadErrorProps } from "#ui/deferred.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";

/** Replaces content that could not be loaded. */
export function LoadError({ onRetry }: LoadErrorProps) {
  return (
    <div className="grid justify-items-start gap-3">
      <FormMessage type="error" title="We couldn't load this">
        Check your connection and try again. You have not been charged.
      </FormMessage>
      <Button onClick={onRetry} autoFocus>
        Try again
      </Button>
    </div>
  );
}
