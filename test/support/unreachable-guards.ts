/** Schema guards that no statement can reach, because another guard refuses it first. */
export const UNREACHABLE_GUARDS: Record<string, string> = {
  creator_records_tips_check: "creator_records_check already requires tips >= settled",
};
