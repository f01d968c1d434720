import { AdminForm, type AdminFormResult, CodeField } from "#admin-kit/admin-kit.ui.tsx";
import type { CalendarDate } from "#domain/calendar.ts";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";

/** The form that changes the price of a coin pack, or the tipsters' share, from a day on. */
export function ChangePriceForm({
  actionData,
  subjects,
  firstDate,
}: {
  actionData: AdminFormResult | undefined;
  subjects: readonly { value: string; label: string }[];
  /** The first day that the form accepts. */
  firstDate: CalendarDate;
}) {
  return (
    <section className="grid gap-3">
      <SectionHeading lead="To take a change back, set the earlier value from the same day.">
        Change a price or the share
      </SectionHeading>
      <AdminForm actionData={actionData} submitLabel="Change" pendingLabel="Changing">
        {(field) => (
          <>
            <SelectField
              label="What to change"
              placeholder="Select"
              options={subjects}
              required
              {...field("subject")}
            />
            <TextField
              label="New value"
              inputMode="numeric"
              figures
              required
              {...field("amount")}
            />
            <TextField
              label="First day"
              type="date"
              min={firstDate}
              required
              {...field("from", firstDate)}
            />
            <CodeField error={field("code").error} />
          </>
        )}
      </AdminForm>
    </section>
  );
}
