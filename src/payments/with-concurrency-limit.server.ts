/** So many events are dealt with at once in one process; a flood waits instead of taking every connection. */
const AT_ONCE = 4;

const underWay = new Map<string, Promise<void>>();
const waiting: (() => void)[] = [];
let working = 0;

/** Does the work when it is its turn. The same key while it is under way is the same work, done once. */
export function withConcurrencyLimit(key: string, work: () => Promise<void>): Promise<void> {
  const known = underWay.get(key);
  if (known) return known;
  const done = takeTurn(work).finally(() => underWay.delete(key));
  underWay.set(key, done);
  return done;
}

async function takeTurn(work: () => Promise<void>): Promise<void> {
  if (working >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else working += 1;
  try {
    await work();
  } finally {
    // The turn is handed on; it ends only when nobody waits for it.
    const next = waiting.shift();
    if (next) next();
    else working -= 1;
  }
}
