import { prepared } from "#platform/database.server.ts";

/** Every creator who is not suspended, with how many tips their record counts: a small row of each. */
export async function readTipCounts(): Promise<{ id: string; slug: string; tips: number }[]> {
  return await prepared<{ id: string; slug: string; tips: number }>(
    "tip-counts",
    `select k.user_id as id, k.slug, n.tips
     from creators k join creator_records n on n.creator_id = k.user_id
     where k.suspended_at is null`,
    [],
  );
}
