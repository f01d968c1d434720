import { ALL_VENUES } from "../tallies.server.ts";

/**
 * Returns SQL for what the win bets of counted tips returned at the starting price, by creator, venue and type. The
 * nil id stands for all venues and the empty type for all types. `condition` restricts the settled tips (s).
 */
export function createReturnsSql(condition: string): string {
  return `
    select b.creator_id, v.venue_id, k.tip_type, count(*)::integer as tips, sum(b.stake)::bigint as staked_cents,
      sum(b.profit)::bigint as profit_cents, sum(b.profit * b.profit) as profit_squares,
      sum(b.profit * b.stake) as profit_by_stake, sum(b.stake * b.stake) as stake_squares
    from (
      select s.creator_id, s.venue_id, s.tip_type, s.win_stake_cents::double precision as stake,
        (s.win_starting_price_return_cents - s.win_stake_cents)::double precision as profit
      from settled_tips s
      where s.win_starting_price_return_cents is not null and not s.is_late and ${condition}
    ) b
    cross join lateral (values (b.venue_id), ('${ALL_VENUES}'::uuid)) v (venue_id)
    cross join lateral (values (b.tip_type), ('')) k (tip_type)
    group by b.creator_id, v.venue_id, k.tip_type`;
}
