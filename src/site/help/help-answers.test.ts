import { describe, expect, test } from "vitest";
import { createPriceList } from "#domain/coin-packs.ts";
import { findAnswer, listHelpCategories, POPULAR_ANSWERS, searchHelp } from "./help-answers.ts";

const HELP_CATEGORIES = listHelpCategories(createPriceList());
const searchIds = (query: string) =>
  searchHelp(query, HELP_CATEGORIES).flatMap((category) =>
    category.answers.map((answer) => answer.id),
  );

describe("searching the help centre", () => {
  test("finds a word in a question or in its answer", () => {
    expect(searchIds("expire")).toContain("do-coins-expire");
    expect(searchIds("spam folder")).toEqual(["confirmation-email"]);
  });

  test("ignores case and surrounding spaces", () => {
    expect(searchIds("  DO COINS EXPIRE ")).toEqual(searchIds("do coins expire"));
    expect(searchIds("do coins expire")).toEqual(["do-coins-expire"]);
  });

  test("returns every category for an empty query", () => {
    expect(searchHelp("  ", HELP_CATEGORIES)).toEqual(HELP_CATEGORIES);
  });

  test.each([".*", "(", "[a-z]", "\\", "<script>alert(1)</script>", "%"])(
    "treats %j as literal text",
    (query) => {
      const matches = HELP_CATEGORIES.flatMap((category) => category.answers).filter((answer) =>
        [answer.question, ...answer.paragraphs].join("\n").includes(query),
      );
      expect(searchIds(query)).toEqual(matches.map((answer) => answer.id));
    },
  );

  test("omits categories without a match", () => {
    expect(searchHelp("zebra crossing", HELP_CATEGORIES)).toEqual([]);
    expect(searchHelp("spam folder", HELP_CATEGORIES).map((category) => category.title)).toEqual([
      "Account & Security",
    ]);
  });
});

describe("the answers", () => {
  const answers = HELP_CATEGORIES.flatMap((category) => category.answers);

  test("are grouped in six categories", () => {
    expect(HELP_CATEGORIES.map((category) => category.title)).toEqual([
      "Getting Started",
      "Coins & Payments",
      "Racing Tips",
      "Tipsters",
      "Account & Security",
      "Technical Issues",
    ]);
  });

  test("have unique anchors", () => {
    const ids = [...answers, ...HELP_CATEGORIES].map((item) => item.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("include every popular answer", () => {
    for (const id of POPULAR_ANSWERS)
      expect(findAnswer(id, HELP_CATEGORIES)?.question).toBeTruthy();
  });
});
