import * as v from "valibot";

type FieldErrors = Record<string, string>;
type ParsedForm<T> = { ok: true; values: T } | { ok: false; errors: FieldErrors };

/** Parses a form with a schema. Returns its values, or the first error of each field. */
export function parseForm<Schema extends v.GenericSchema>(
  schema: Schema,
  form: FormData,
): ParsedForm<v.InferOutput<Schema>> {
  const entries = Object.fromEntries(form);
  const result = v.safeParse(schema, entries);
  if (result.success) return { ok: true, values: result.output };
  const errors: FieldErrors = {};
  for (const issue of result.issues) {
    const field = String(issue.path?.[0]?.key ?? "");
    errors[field] ??= issue.message;
  }
  return { ok: false, errors };
}

/** Returns a field as text; empty when it is missing or a file. */
export function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Returns the text values of a form. */
export function readFormValues(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
