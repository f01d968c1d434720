import { data } from "react-router";
import type * as v from "valibot";
import type { RefusedForm } from "./form-result.ts";
import { parseForm, readField } from "./parse-form.ts";

/** The result of the function that a form calls. */
export type WriteResult = { ok: true } | { ok: false; refusal: string };
type Success<R extends WriteResult> = Extract<R, { ok: true }>;
type Refused<R extends WriteResult> = Extract<R, { ok: false }>;

type RefusalDetails = Pick<RefusedForm, "refusal" | "title" | "message"> & {
  errors?: Partial<Record<string, string>>;
  status?: number;
  headers?: HeadersInit;
};

/** What a refused form says, with the status of the response: 409 for a text, else 422 unless it is given. */
export type FormRefusal = RefusalDetails | string | readonly [message: string, status: number];

export type FormOptions<Input, R extends WriteResult, Done> = {
  /** The fields of the form. */
  input: v.GenericSchema<unknown, Input>;
  /** What is said about invalid fields. Unless it is given, their messages are shown below them. */
  invalid?: (errors: Record<string, string>) => FormRefusal;
  /** Returns a refusal if the write must not run. */
  check?: (input: Input) => FormRefusal | null | Promise<FormRefusal | null>;
  run: (input: Input) => Promise<R>;
  done: (result: Success<R>, input: Input) => Done;
  /** What is said about each refusal of the write, or a function when that depends on the result. */
  refusals:
    | Record<Refused<R>["refusal"], FormRefusal>
    | ((refused: Refused<R>, input: Input) => FormRefusal);
  /** What is said about an unexpected error, as `failureMessage` returns it. Unless it is given, the error is thrown. */
  failed?: (error: unknown) => FormRefusal;
  /** The fields that keep what was typed when the form is refused: never a password or a code. */
  keep?: readonly string[];
};

/**
 * Handles a form: refuses invalid fields, runs the write and returns what `done` returns, or the refusal with the values
 * to keep. Redirects are thrown by `done` and `refusals`.
 */
export async function handleForm<Input, R extends WriteResult, Done>(
  form: FormData,
  {
    input: schema,
    invalid = (errors) => ({ errors }),
    check,
    run,
    done,
    refusals,
    failed,
    keep = [],
  }: FormOptions<Input, R, Done>,
) {
  const refuse = (refusal: FormRefusal) => refuseForm(form, refusal, keep);
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return refuse(invalid(parsed.errors));
  let result: R;
  try {
    const unmet = await check?.(parsed.values);
    if (unmet) return refuse(unmet);
    result = await run(parsed.values);
  } catch (error) {
    if (!failed) throw error;
    return refuse(failed(error));
  }
  if (result.ok) return await done(result as Success<R>, parsed.values);
  const refused = result as Refused<R>;
  return refuse(
    typeof refusals === "function"
      ? refusals(refused, parsed.values)
      : refusals[refused.refusal as Refused<R>["refusal"]],
  );
}

/** Refuses a form before its fields are read. Returns the values to keep, as `handleForm` does. */
export function refuseForm(form: FormData, refusal: FormRefusal, keep: readonly string[] = []) {
  const { status = 422, headers, ...details } = toDetails(refusal);
  const values = Object.fromEntries(keep.map((name) => [name, readField(form, name)]));
  return data({ ok: false, ...details, values } as RefusedForm, { status, headers });
}

function toDetails(refusal: FormRefusal): RefusalDetails {
  if (typeof refusal === "string") return { message: refusal, status: 409 };
  return "length" in refusal ? { message: refusal[0], status: refusal[1] } : refusal;
}
