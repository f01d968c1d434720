import { redirect } from "react-router";
import * as v from "valibot";
import { expect, it } from "vitest";
import { failureMessage } from "./failure-message.server.ts";
import { type FormRefusal, handleForm, type WriteResult } from "./handle-form.server.ts";

type Options = {
  done?: () => never;
  fields?: Record<string, string>;
  run?: () => Promise<WriteResult>;
  refusals?: Record<string, FormRefusal>;
  check?: () => FormRefusal | null;
  failed?: (error: unknown) => FormRefusal;
};

/** Handles a form with the fields `name`, which is required and kept, and `password`. */
const handle = ({
  fields = {},
  run = async () => ({ ok: true }),
  refusals = {},
  ...options
}: Options) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Thandi", password: "secret", ...fields }))
    form.set(name, value);
  return handleForm(form, {
    input: v.object({ name: v.pipe(v.string(), v.nonEmpty("Enter a name")) }),
    run,
    done: (_, { name }) => ({ ok: true as const, name }),
    refusals,
    keep: ["name"],
    ...options,
  });
};
const refused = (status: number, result: object, headers?: HeadersInit) =>
  expect.objectContaining({
    data: { ok: false, ...result, values: { name: "Thandi" } },
    init: { status, headers },
  });

it("returns what is done with the fields", async () => {
  expect(await handle({})).toEqual({ ok: true, name: "Thandi" });
});

it("refuses invalid fields before the write", async () => {
  const run = () => Promise.reject(new Error("must not run"));
  expect(await handle({ fields: { name: "" }, run })).toMatchObject({
    data: { ok: false, errors: { name: "Enter a name" }, values: { name: "" } },
    init: { status: 422 },
  });
  expect(await handle({ check: () => "Not now", run })).toEqual(
    refused(409, { message: "Not now" }),
  );
});

it.each<[FormRefusal, ReturnType<typeof refused>]>([
  ["Taken", refused(409, { message: "Taken" })],
  [["Gone", 410], refused(410, { message: "Gone" })],
  [{ errors: { name: "Taken" } }, refused(422, { errors: { name: "Taken" } })],
  [
    { title: "Wait", message: "Too many", status: 429, headers: { "Retry-After": "9" } },
    refused(429, { title: "Wait", message: "Too many" }, { "Retry-After": "9" }),
  ],
])("says %j about a refusal of the write, with the values to keep", async (refusal, response) => {
  const run = async () => ({ ok: false as const, refusal: "refused" });
  expect(await handle({ run, refusals: { refused: refusal } })).toEqual(response);
});

it("says what is given about an unexpected error, and throws it otherwise", async () => {
  const run = () => Promise.reject(new Error("broken"));
  await expect(handle({ run })).rejects.toThrow("broken");
  const toUser = (error: unknown) => failureMessage(error, "Not saved.", { requestId: "42" });
  const message = "Not saved. If it happens again, contact us and quote reference 42.";
  expect(await handle({ run, failed: toUser })).toEqual(refused(500, { message }));
  const toAdmin = (error: unknown) => failureMessage(error, "Not saved", "admin");
  expect(await handle({ run, failed: toAdmin })).toEqual(
    refused(500, { message: "Not saved: broken" }),
  );
});

it("throws an error that follows a successful write, which is not a failed write", async () => {
  const done = () => {
    throw new Error("broken");
  };
  await expect(handle({ done, failed: () => "Not saved." })).rejects.toThrow("broken");
});

it("throws redirects", async () => {
  const run = () => Promise.reject(redirect("/elsewhere"));
  const failed = (error: unknown) => failureMessage(error, "Not saved.", { requestId: "42" });
  await expect(handle({ run, failed })).rejects.toBeInstanceOf(Response);
});
