import { expect, test } from "vitest";
import { readFormValues } from "#platform/parse-form.ts";
import { findFormDraft, removeFormDraft, saveFormDraft } from "./form-draft.ts";

const PATH = "/admin/results/venue/2026-12-09/3";

function createStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}

const save = (
  storage: ReturnType<typeof createStorage>,
  adminId: string,
  { path = PATH, version = "1", order = "4 1 7" } = {},
) => saveFormDraft(adminId, { path, version, values: { order } }, { storage });

test("finds what an admin typed into a form, with the version of its data", () => {
  const storage = createStorage();
  save(storage, "one");
  save(storage, "one", { version: "2", order: "4 7 1" });
  save(storage, "one", { path: `${PATH}2`, order: "9" });
  expect(findFormDraft("one", PATH, storage)?.draft).toEqual({
    idempotencyKey: PATH,
    version: "2",
    values: { order: "4 7 1" },
  });
});

test("shows a draft to nobody else", () => {
  const storage = createStorage();
  save(storage, "one");
  save(storage, "one two", { order: "9" });
  for (const other of ["two", "", "on", "one:"])
    expect(findFormDraft(other, PATH, storage)).toBeNull();
  expect(findFormDraft("one", PATH, storage)?.draft.values).toEqual({ order: "4 1 7" });
});

test("removes a draft and keeps those of other forms and people", () => {
  const storage = createStorage();
  save(storage, "one");
  save(storage, "two");
  save(storage, "one", { path: `${PATH}/confirm` });
  removeFormDraft("one", PATH, storage);
  expect(findFormDraft("one", PATH, storage)).toBeNull();
  expect(findFormDraft("two", PATH, storage)).not.toBeNull();
  expect(findFormDraft("one", `${PATH}/confirm`, storage)).not.toBeNull();
});

test("reads the text values of a form, without files", () => {
  const form = new FormData();
  form.set("order", "4 1 7");
  form.set("off", "");
  form.set("file", new Blob(["x"]));
  expect(readFormValues(form)).toEqual({ order: "4 1 7", off: "" });
});
