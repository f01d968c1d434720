import { expect, test } from "vitest";
import { listDrafts, removeDraft, saveDraft } from "./draft-store.ts";

const NAME = "drafts:one";
const DAY_MS = 24 * 60 * 60 * 1000;

type Draft = { idempotencyKey: string; horseName: string };
const createDraft = (idempotencyKey: string, horseName: string): Draft => ({
  idempotencyKey,
  horseName,
});

/** A fake Storage with the methods that drafts use. */
function fakeStorage() {
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

const listHorseNames = (storage: ReturnType<typeof fakeStorage>, at = 1_000, name = NAME) =>
  listDrafts<Draft>(name, { storage, at }).map((saved) => saved.draft.horseName);

test("stores each draft under its idempotency key and lists the newest first", () => {
  const storage = fakeStorage();
  saveDraft(NAME, { savedAt: 1, draft: createDraft("a", "Vaal Horse") }, storage);
  saveDraft(NAME, { savedAt: 3, draft: createDraft("b", "Fairview Horse") }, storage);
  saveDraft(NAME, { savedAt: 4, draft: createDraft("a", "Vaal Horse Again") }, storage);
  saveDraft("drafts:another", { savedAt: 9, draft: createDraft("c", "Not Mine") }, storage);
  expect(listHorseNames(storage)).toEqual(["Vaal Horse Again", "Fairview Horse"]);
});

test("removes one draft and keeps the others", () => {
  const storage = fakeStorage();
  saveDraft(NAME, { savedAt: 1, draft: createDraft("a", "Published") }, storage);
  saveDraft(NAME, { savedAt: 2, draft: createDraft("b", "Still Written") }, storage);
  removeDraft(NAME, "a", storage);
  expect(listHorseNames(storage)).toEqual(["Still Written"]);
});

test("removes a draft after three days", () => {
  const storage = fakeStorage();
  saveDraft(NAME, { savedAt: 0, draft: createDraft("a", "Old") }, storage);
  expect(listHorseNames(storage, 3 * DAY_MS - 1)).toEqual(["Old"]);
  expect(listHorseNames(storage, 3 * DAY_MS)).toEqual([]);
  expect(storage.length).toBe(0);
});

test("ignores invalid entries and unavailable storage", () => {
  const storage = fakeStorage();
  storage.setItem(`${NAME}:a`, "{");
  storage.setItem(`${NAME}:b`, '{"draft":{}}');
  saveDraft(NAME, { savedAt: 1, draft: createDraft("c", "Whole") }, storage);
  expect(listHorseNames(storage)).toEqual(["Whole"]);
  const fullStorage = {
    ...storage,
    setItem: () => {
      throw new Error("full");
    },
  };
  expect(saveDraft(NAME, { savedAt: 1, draft: createDraft("d", "Lost") }, fullStorage)).toBe(false);
});
