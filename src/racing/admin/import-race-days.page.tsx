import { data, Form, useNavigation } from "react-router";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { toNoResponseMessage } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate } from "#domain/calendar.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { Field } from "#ui/forms/field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/import-race-days.page.ts";
import { type ImportFormResult, importRaceDaysForm } from "./import-race-days-form.server.ts";

const PATH = "/admin/race-days/import";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Import race days, Admin",
    description: "Import races, runners and results from a file.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await importRaceDaysForm(admin.id, await request.formData());
}

/** Shows a message when the server does not respond. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    const message = toNoResponseMessage(error);
    if (message === null) throw error;
    return data<ImportFormResult>({ ok: false, message }, { status: 503 });
  }
}

/** Admin page to import races, runners and results from a file, with a preview of what changes. */
export default function ImportRaceDays({ actionData }: Route.ComponentProps) {
  const result = actionData as ImportFormResult | undefined;
  const { message, problems, preview, contents } = result ?? {};
  const isPending = useNavigation().state !== "idle";
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/venues" standalone className="text-sm">
          Venues
        </TextLink>
        <SectionHeading className="mt-2">Import race days</SectionHeading>
      </div>
      {message ? (
        <FormMessage type={result?.ok ? "success" : "error"}>{message}</FormMessage>
      ) : null}
      {problems ? (
        <FormMessage type="error" title="Nothing was imported">
          <ul className="list-disc pl-5">
            {problems.map((problem) => (
              <li key={problem} className="break-words">
                {problem}
              </li>
            ))}
          </ul>
        </FormMessage>
      ) : null}
      {preview ? (
        <PreviewPanel preview={preview} contents={contents ?? ""} isPending={isPending} />
      ) : null}
      <Panel title={preview ? "Another file" : "File"}>
        <Form method="post" action={PATH} encType="multipart/form-data" className="grid gap-4">
          <Field
            label="CSV or JSON file"
            hint="One line per runner. Empty cells change nothing, and races and runners that are not in the file stay as they are. Results wait until another admin confirms them."
          >
            {(attributes) => (
              <input
                {...attributes}
                type="file"
                name="file"
                accept=".csv,.tsv,.txt,.json,text/csv,application/json"
                className="max-w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-sm file:border file:border-ink-2 file:bg-transparent file:px-4 file:font-semibold file:text-ink"
              />
            )}
          </Field>
          <TextAreaField
            label="Or paste its contents"
            optional
            name="text"
            rows={6}
            spellCheck={false}
            defaultValue={problems ? contents : undefined}
            hint="With the column names in the first line, such as: date, venue, race, off, number, horse, source."
          />
          <div>
            <Button type="submit" pending={isPending} pendingLabel="Reading">
              Preview
            </Button>
          </div>
        </Form>
      </Panel>
    </div>
  );
}

/** The changes that the file would make, with the form that accepts them. */
function PreviewPanel({
  preview,
  contents,
  isPending,
}: {
  preview: NonNullable<ImportFormResult["preview"]>;
  contents: string;
  isPending: boolean;
}) {
  const hasChanges = preview.meetings.some((meeting) => meeting.changes.length > 0);
  return (
    <Panel title="Preview">
      <ul className="grid gap-4">
        {preview.meetings.map(({ venueId, venueName, raceDate, changes }) => (
          <li key={`${venueId} ${raceDate}`}>
            <h3 className="font-cond text-lg font-bold">
              {venueName}, {formatDate(raceDate, "long")}
            </h3>
            {changes.length === 0 ? (
              <p className="text-sm text-ink-2">No changes</p>
            ) : (
              <ul className="list-disc pl-5 text-sm">
                {changes.map((change) => (
                  <li key={change} className="break-words first-letter:uppercase">
                    {change}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {hasChanges ? (
        <Form method="post" action={PATH} className="mt-5 flex flex-wrap gap-2">
          <input type="hidden" name="contents" value={contents} />
          <input type="hidden" name="digest" value={preview.digest} />
          <Button type="submit" pending={isPending} pendingLabel="Importing">
            Import
          </Button>
          <ButtonLink to={PATH} variant="secondary">
            Cancel
          </ButtonLink>
        </Form>
      ) : null}
    </Panel>
  );
}
