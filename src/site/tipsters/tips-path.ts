/** The parameters of the list of a tipster's tips. `tips` names the part of the record that a figure counts. */
export const TIPS_PARAMS = ["venue", "type", "confidence", "result", "tips", "until"] as const;
export type TipsParam = (typeof TIPS_PARAMS)[number];

/** Returns the path of the list of a tipster's tips with these filters. Empty values are left out. */
export function tipsPath(
  slug: string,
  params: Partial<Record<TipsParam, string | null>> = {},
): string {
  const search = new URLSearchParams(
    TIPS_PARAMS.flatMap((name) => {
      const value = params[name];
      return value ? [[name, value]] : [];
    }),
  );
  return `/tipsters/${slug}/tips${search.size > 0 ? `?${search}` : ""}`;
}
