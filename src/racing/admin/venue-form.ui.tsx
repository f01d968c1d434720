import { useFetcher } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import type { AdminFormResult } from "#admin-kit/admin-kit.ui.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { showToast } from "#ui/notifications/toast.tsx";

type VenueFormProps = {
  action: string;
  venue?: { name: string; location: string; totalRaces: number; isActive: boolean };
  /** The result of a submission without JavaScript. */
  result: AdminFormResult | undefined;
  close: () => void;
};

/** Form to add or edit a venue. */
export function VenueForm({ action, venue, result: initialResult, close }: VenueFormProps) {
  const fetcher = useFetcher<AdminFormResult>();
  const result = fetcher.data ?? initialResult;
  const form = useFocusFirstError(result);
  useResponse(fetcher.data, ({ ok, message }) => {
    if (!ok) return;
    showToast({ type: "success", title: message ?? "Saved" });
    close();
  });
  const { errors = {}, values } = result ?? {};
  if (initialResult?.ok && !fetcher.data)
    return (
      <div className="grid justify-items-start gap-4">
        <FormMessage type="success">{initialResult.message}</FormMessage>
        <ButtonLink to="/admin/venues" variant="secondary">
          Back to venues
        </ButtonLink>
      </div>
    );
  return (
    <fetcher.Form ref={form} method="post" action={action} noValidate className="grid gap-4">
      {result?.message && !result.ok ? (
        <FormMessage type="error">{result.message}</FormMessage>
      ) : null}
      <TextField
        label="Name"
        name="name"
        required
        maxLength={80}
        defaultValue={values?.name ?? venue?.name}
        error={errors.name}
      />
      <TextField
        label="Location"
        name="location"
        required
        maxLength={120}
        defaultValue={values?.location ?? venue?.location}
        error={errors.location}
      />
      <TextField
        label="Total races"
        name="totalRaces"
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        required
        figures
        defaultValue={values?.totalRaces ?? venue?.totalRaces ?? 0}
        error={errors.totalRaces}
        className="max-w-40"
      />
      <CheckboxField
        name="isActive"
        label="Active"
        hint="Tipsters can't publish tips for an inactive venue, and it isn't listed."
        defaultChecked={values ? values.isActive === "on" : (venue?.isActive ?? true)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={fetcher.state !== "idle"} pendingLabel="Saving">
          {venue ? "Save venue" : "Add venue"}
        </Button>
        <ButtonLink
          to="/admin/venues"
          variant="secondary"
          onClick={(event) => {
            event.preventDefault();
            close();
          }}
        >
          Cancel
        </ButtonLink>
      </div>
    </fetcher.Form>
  );
}
