/** Guards of the schema that no statement can reach, because another refuses it first, and which. */
export const UNREACHABLE_GUARDS: Record<string, string> = {
  creator_records_tips_check: "creator_records_check already wants tips to be at least settled",
};
