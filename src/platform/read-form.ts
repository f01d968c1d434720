import * as v from "valibot";

type Fields = Record<string, string>;
type Reading<T> = { ok: true; values: T } | { ok: false; errors: Fields };

/** What a form says by a schema, or the first thing wrong with each field. Other fields are let go. */
export function readForm<Schema extends v.GenericSchema>(
  schema: Schema,
  form: FormData,
): Reading<v.InferOutput<Schema>> {
  const given = Object.fromEntries(form);
  const result = v.safeParse(schema, given);
  if (result.success) return { ok: true, values: result.output };
  const errors: Fields = {};
  for (const issue of result.issues) {
    const field = String(issue.path?.[0]?.key ?? "");
    errors[field] ??= issue.message;
  }
  return { ok: false, errors };
}

/** One field as text; empty where it is missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
