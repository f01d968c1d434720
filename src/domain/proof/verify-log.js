/**
 * Checks the proof log of a tips shop. It needs nothing but this file: import it in a browser or in
 * Node 20 or newer and call `verifyLog` with what you downloaded, and with what you kept. (Browsers
 * offer the hash functions it needs to pages served over HTTPS only.)
 *
 * The log is a list of entries that only grows. Each entry is one JSON object. A checkpoint is a
 * signed note with the size of the log and the root of the Merkle tree over its entries (RFC 6962,
 * C2SP tlog-checkpoint). A tip's horse stands in the log as a commitment: the hash of a random salt
 * and a text. The reveal, salt and text, is published after the race.
 *
 * Findings are of these kinds:
 * - unsigned: a checkpoint is not signed by the log's key, or no checkpoint covers an entry
 * - truncated: a checkpoint was signed for more entries than there are
 * - rewritten: the entries do not have the root that was signed
 * - changed, dropped: an entry is not the one you kept the hash of, or is gone
 * - missing: an entry or a creator is left out, or an entry or a manifest cannot be read
 * - late: a tip was first signed after the race started, no timestamp authority saw it before, and the site does not call it late;
 *   or the site calls a tip late that was signed before
 * - hidden: the site does not list a tip that is in the log and was not withdrawn before its race
 * - not revealed: a tip or a name was not revealed, or is not the one committed to
 * - never logged: the site lists or reveals a tip that is not in the log
 */

const encoder = new TextEncoder();
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const ED25519_TYPE = 1;
/** Timestamp authorities see the newest checkpoint. A clock may differ by ten minutes, and its answer takes time. */
const CLOCK_TOLERANCE_MS = 15 * 60 * 1000;
/** How long before an off that was learnt later a tip has to be published. */
const LATE_OFF_MS = 120 * 60 * 1000;
/** The public key of RFC 8032, 7.1, test 1. A browser that refuses it does not know Ed25519. */
const KNOWN_KEY = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

/**
 * Returns the first instant at which a tip that is published then is too late to count: the known off of its race or, if
 * none is known, 11:00 in South Africa on the race date. For a tip that was published before the off was known, 120
 * minutes before that off, but not before 11:00, and at the latest the off. The site settles tips by this function too.
 */
export function computeRecordDeadline(raceDate, knownOffAt, wasOffKnown) {
  const unknown = Date.parse(`${raceDate}T09:00:00Z`);
  const off = knownOffAt === null ? unknown : Number(knownOffAt);
  if (wasOffKnown || knownOffAt === null) return new Date(off);
  return new Date(Math.min(off, Math.max(unknown, off - LATE_OFF_MS)));
}

/** Checks a log and returns counts and findings. Input of any form gives findings, never an error. */
export async function verifyLog(log) {
  const input = isObject(log) ? log : {};
  const now = isTime(input.now) ? input.now : Date.now();
  const today = isDate(input.today) ? input.today : saDate(now);
  const findings = [];
  const report = (kind, message, index) =>
    findings.push(index === undefined ? { kind, message } : { kind, index, message });

  // A part of the log starts with entry `first`. The left edge stands for the entries before it.
  const first = isCount(input.first) ? input.first : 0;
  const isPart = Array.isArray(input.leftEdge);
  const texts = list(input.entries).map((text) => (typeof text === "string" ? text : ""));
  const entries = texts.map(parseEntry);
  const leaves = await Promise.all(texts.map((text) => sha256(LEAF, encoder.encode(text))));
  const hashes = leaves.map(toBase64);

  const { origin, signaturesChecked, checkpoints } = await readCheckpoints(
    input,
    { first, isPart, entries },
    report,
  );
  const fitting = await checkRoots(
    checkpoints,
    { first, edge: list(input.leftEdge), leaves },
    report,
  );
  const kept = await Promise.all(
    list(input.keptEntries).map(async (text) =>
      toBase64(await sha256(LEAF, encoder.encode(isText(text) ? text : ""))),
    ),
  );
  compareKeptHashes([...list(input.keptLeafHashes), ...kept], { first, hashes, entries }, report);
  const { creators, tips, names, results, withdrawn } = await walkEntries(
    { first, entries, hashes },
    input.manifests,
    report,
  );

  // The earliest time at which each size was signed. A larger checkpoint holds the entry as well.
  const signed = fitting.filter(({ signedAt }) => isTime(signedAt));
  const times = toEarliest(signed.map(({ size, signedAt }) => [size, signedAt]));
  const sizes = new Set(fitting.map(({ size }) => size));
  const outside = list(input.timestamps).filter((row) => sizes.has(row?.size));
  const seen = toEarliest(
    outside.flatMap(({ size, claimedAt }) => (isTime(claimedAt) ? [[size, claimedAt]] : [])),
  );

  const reveals = groupByKey(input.reveals);
  const tipsByKey = new Map();
  const listed = Array.isArray(input.tips) ? groupByKey(input.tips) : null;
  let next = 0;
  let nextSeen = 0;
  let missingAt = Number.NEGATIVE_INFINITY;
  let timestamped = 0;
  let due = 0;
  let revealed = 0;
  let withdrawnLater = 0;
  for (const { index, entry } of tips) {
    const result = results.get(raceOf(entry));
    const isDue = entry.date < today || Boolean(result?.isOfficial);
    const fields = "creator,horse,number,price,seq";
    const reveal = await checkReveal(reveals.get(keyOf(entry)), "selection", entry, fields);
    if (!reveal.value && (isDue || reveal.isWrong))
      report("not revealed", `${nameOf(entry, index)} ${reveal.problem}.`, index);
    if (isDue) due++;
    if (isDue && reveal.value) revealed++;
    if (!tipsByKey.has(keyOf(entry))) tipsByKey.set(keyOf(entry), { ...entry, ...reveal.value });

    const rows = listed?.get(keyOf(entry)) ?? [];
    const isCalledLate = rows.length > 0 && rows.every((row) => row.isLate === true);
    const offs = [result?.off, entry.off, ...rows.map((row) => row.off)];
    const off = offs.find((time) => isTime(time) && saDate(time) === entry.date) ?? null;
    // A part of the log may not have the result with the off.
    const isUnknown = off === null && isPart;
    const offAt = off && Date.parse(off);
    const deadline = computeRecordDeadline(entry.date, offAt, isTime(entry.off));
    const closing = computeRecordDeadline(entry.date, offAt, true);
    // Before the off, an entry that was published in time may be signed a moment after its deadline.
    const signBy = new Date(Math.min(closing, Number(deadline) + CLOCK_TOLERANCE_MS));
    const isBefore = (end, time) => time !== undefined && !isUnknown && time < end;
    const isInTime = (time) => isBefore(signBy, time);
    while (next < times.length && times[next].size <= index) next++;
    for (; nextSeen < seen.length && seen[nextSeen].size <= index; nextSeen++)
      missingAt = Math.max(missingAt, seen[nextSeen].ownAt);
    const signing = times[next];
    const wasMissing = missingAt - CLOCK_TOLERANCE_MS;
    const late = (message) => report("late", `${nameOf(entry, index)} ${message}.`, index);
    if (isInTime(seen[nextSeen]?.at)) {
      timestamped++;
    } else if (!isDue || isCalledLate || isUnknown) {
      // Not settled yet, or not counted, or to be checked in the whole log.
    } else if (signing && !isInTime(signing.at)) {
      late(
        `was first signed at ${new Date(signing.at).toISOString()}, after ${deadline.toISOString()}`,
      );
    } else if (wasMissing > signing?.at && !isInTime(wasMissing)) {
      const at = new Date(missingAt).toISOString();
      late(
        `is said to be signed before ${deadline.toISOString()}, but a timestamp authority saw the log without it at ${at}`,
      );
    }
    // Only the off of an official result decides for good.
    if (isCalledLate && result?.isOfficial && off === result.off && isBefore(deadline, signing?.at))
      late(`is called late by the site, but was signed before ${deadline.toISOString()}`);
    if (!signing && isDue && fitting.at(-1)?.size > index) late("is in no checkpoint with a time");
    // A tip that was withdrawn before its race is not one of the record. One withdrawn later stays in it.
    const withdrawnAt = withdrawn.get(index);
    const withdrawal = times.find(({ size }) => size > withdrawnAt);
    const isWithdrawnLater = withdrawnAt !== undefined && !isBefore(closing, withdrawal?.at);
    if (isDue && isWithdrawnLater) withdrawnLater++;
    const mustBeListed = isDue && (withdrawnAt === undefined || isWithdrawnLater);
    if (listed && mustBeListed && rows.length === 0)
      report("hidden", `${nameOf(entry, index)} is in the log but not on the site.`, index);
  }
  checkNeverLogged(list(input.tips), "lists", tipsByKey, report);
  checkNeverLogged(list(input.reveals), "reveals", tipsByKey, report);

  const nameReveals = groupByKey(input.names);
  for (const { index, entry } of names) {
    const reveal = await checkReveal(
      nameReveals.get(keyOf(entry)),
      "name",
      entry,
      "creator,name,seq",
    );
    // The names of a day are published with its entries, which may still be on their way today.
    const isDue = saDate(entry.at) !== today;
    if (!reveal.value && (isDue || reveal.isWrong))
      report(
        "not revealed",
        `Name #${entry.seq} of creator ${entry.creator} ${reveal.problem}.`,
        index,
      );
  }
  return {
    origin,
    signaturesChecked,
    entries: entries.length,
    checkpoints: checkpoints.length,
    creators,
    tips: tips.length,
    timestamped,
    due,
    revealed,
    withdrawnLater,
    findings,
  };
}

/**
 * Returns sizes with the earliest time of a checkpoint at least as large, which holds the same entries, smallest first.
 * `ownAt` is the time of the size itself.
 */
function toEarliest(rows) {
  const times = rows.map(([size, time]) => ({
    size,
    at: Date.parse(time),
    ownAt: Date.parse(time),
  }));
  times.sort((a, b) => a.size - b.size);
  for (let i = times.length - 2; i >= 0; i--) times[i].at = Math.min(times[i].at, times[i + 1].at);
  return times;
}

/** Reads the checkpoints from the site and from the stranger, smallest first. */
async function readCheckpoints(input, part, report) {
  const keys = (await Promise.all(list(input.keys).map(readVerifierKey))).filter(Boolean);
  const origin = keys[0]?.origin ?? null;
  const signaturesChecked = (await importKey(fromBase64(KNOWN_KEY))) !== null;
  const rotations = await readRotations(part);
  for (const key of [...keys, ...rotations.map((rotation) => rotation.key)])
    if (key) key.imported = signaturesChecked ? await importKey(key.bytes) : null;
  const kept = list(input.keptCheckpoints)
    .filter((note) => typeof note === "string")
    .map((note) => ({ note: `${note.replace(/\r\n/g, "\n").trim()}\n` }));
  const checkpoints = [];
  const problems = [];
  for (const row of [...list(input.checkpoints), ...kept]) {
    const note = parseNote(row?.note);
    if (!note) problems.push("is not a checkpoint");
    else if (note.origin !== origin) problems.push(`(${note.size} entries) has another origin`);
    else if (
      signaturesChecked &&
      !(await isSigned(note, keysFor(note.size, keys, rotations, part.isPart)))
    )
      problems.push(`(${note.size} entries) is not signed by a key of this log`);
    else checkpoints.push({ ...note, signedAt: row.signedAt });
  }
  const [problem] = problems;
  if (problem)
    report("unsigned", `Checkpoints that prove nothing: ${problems.length}. The first ${problem}.`);
  return { origin, signaturesChecked, checkpoints: checkpoints.sort((a, b) => a.size - b.size) };
}

/** Returns the keys that entries name, in their order. Each signs the checkpoints above the index of its entry. */
async function readRotations({ first, entries }) {
  const rotations = [];
  for (const [position, entry] of entries.entries())
    if (entry?.kind === "key")
      rotations.push({ index: first + position, key: await readVerifierKey(entry.vkey) });
  return rotations;
}

/**
 * Returns the keys of which one must sign a checkpoint: the one that the last entry of kind `key` below its size
 * names, else the first. A part of the log may not have that entry: there it is any key but those of later entries.
 */
function keysFor(size, keys, rotations, isPart) {
  const last = rotations.filter(({ index }) => index < size).at(-1);
  if (last) return [last.key].filter(Boolean);
  const isLater = ({ id }) => rotations.some(({ key }) => key?.id === id);
  return isPart ? keys.filter((key) => !isLater(key)) : keys.slice(0, 1);
}

/** Parses a verifier key, `origin+id+base64(type, key)`. Returns null unless the id fits the key. */
async function readVerifierKey(text) {
  const [, origin, id, encoded] =
    (typeof text === "string" && /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)/.exec(text.trim())) || [];
  const typed = fromBase64(encoded);
  if (typed?.length !== 33 || typed[0] !== ED25519_TYPE) return null;
  const hash = await sha256(encoder.encode(`${origin}\n`), typed);
  return toHex(hash.slice(0, 4)) === id ? { origin, id, bytes: typed.slice(1) } : null;
}

function importKey(bytes) {
  return crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]).catch(() => null);
}

/** Parses a signed note with three lines of text: origin, size and root. */
function parseNote(note) {
  const [, text, origin, size, root, lines] =
    (typeof note === "string" &&
      /^((\S+)\n(0|[1-9]\d{0,14})\n(\S+)\n)\n((?:— \S+ \S+\n)+)$/.exec(note)) ||
    [];
  if (fromBase64(root)?.length !== 32) return null;
  return { text, origin, size: Number(size), root, lines: lines.trim().split("\n") };
}

/** Returns true if a key of the log signed the note. Signatures of others are ignored. */
async function isSigned({ text, origin, lines }, keys) {
  for (const line of lines) {
    const [, name, encoded] = line.split(" ");
    const bytes = fromBase64(encoded);
    const key = keys.find(({ id }) => bytes?.length === 68 && id === toHex(bytes.slice(0, 4)));
    if (name !== origin || key?.origin !== origin || !key.imported) continue;
    const isValid = await crypto.subtle
      .verify("Ed25519", key.imported, bytes.slice(4), encoder.encode(text))
      .catch(() => false);
    if (isValid) return true;
  }
  return false;
}

/** Compares the root at each checkpoint's size. Returns the checkpoints that the entries fit. */
async function checkRoots(checkpoints, { first, edge, leaves }, report) {
  const end = first + leaves.length;
  const fitting = [];
  const wrong = [];
  // The roots of the full subtrees of the entries so far, largest first, each with its height.
  const subtrees = readLeftEdge(first, edge);
  let size = first;
  for (const checkpoint of checkpoints.filter((each) => each.size >= first && each.size <= end)) {
    for (; size < checkpoint.size; size++) {
      let [height, hash] = [0, leaves[size - first]];
      for (; subtrees.at(-1)?.height === height; height++)
        hash = await sha256(NODE, subtrees.pop().hash, hash);
      subtrees.push({ height, hash });
    }
    let root = subtrees.at(-1)?.hash ?? (await sha256());
    for (const { hash } of subtrees.slice(0, -1).reverse()) root = await sha256(NODE, hash, root);
    (toBase64(root) === checkpoint.root ? fitting : wrong).push(checkpoint);
  }
  if (wrong.length > 0)
    report(
      "rewritten",
      `The first ${wrong[0].size} entries are not those that were signed in a checkpoint of ${wrong[0].size}; checkpoints that do not fit: ${wrong.length}.`,
    );
  const largest = checkpoints.at(-1)?.size ?? 0;
  if (largest > end)
    report("truncated", `A checkpoint was signed for ${largest} entries, but the log has ${end}.`);
  if (largest < end)
    report("unsigned", `No checkpoint covers entry ${largest} and those after it.`, largest);
  return fitting;
}

/** Returns the subtrees of the entries before the first one: one for each bit of their number. */
function readLeftEdge(first, edge) {
  const heights = [];
  for (let height = 0, rest = first; rest > 0; height++, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) heights.unshift(height);
  return heights.map((height, i) => ({ height, hash: fromBase64(edge[i]) ?? new Uint8Array() }));
}

/** Aligns the leaf hashes that the stranger kept with those of the log. */
function compareKeptHashes(kept, { first, hashes, entries }, report) {
  const positions = new Map(hashes.map((hash, index) => [hash, index]));
  const isKept = new Set(kept);
  const nameAt = (position) => nameOf(entries[position], first + position);
  let at = 0;
  for (const [index, hash] of kept.entries()) {
    const position = positions.get(hash);
    if (position === at) at++;
    else if (position > at) {
      if (!isKept.has(hashes[at]))
        report("changed", `${nameAt(at)} was put before entries you kept.`, first + at);
      at = position + 1;
    } else if (position < at) report("changed", `${nameAt(position)} was moved.`, first + position);
    else if (at < hashes.length && !isKept.has(hashes[at]) && kept[index + 1] !== hashes[at]) {
      report("changed", `${nameAt(at)} is not the entry you kept.`, first + at);
      at++;
    } else {
      const before = at < hashes.length ? `, before ${lowerFirst(nameAt(at))}` : "";
      report("dropped", `Entry ${first + index}, which you kept, is gone${before}.`, first + index);
    }
  }
}

/** Walks the entries in order: each creator's numbers and chain, manifests, results, withdrawals. */
async function walkEntries({ first, entries, hashes }, manifests, report) {
  const chains = new Map(); // by creator: the last number and hash, and how many entries
  const results = new Map(); // by race: the newest off, and whether there was an official result
  const withdrawn = new Map(); // by index of the tip: the index of the newest withdrawal
  const tips = [];
  const names = [];
  for (const [position, entry] of entries.entries()) {
    const index = first + position;
    if (!entry) {
      report("missing", `Entry ${index} cannot be read.`, index);
      continue;
    }
    if (entry.creator !== undefined) {
      const isUnknown = first > 0 && !chains.has(entry.creator);
      const problem = isUnknown ? null : checkChain(chains.get(entry.creator), entry);
      if (problem) report("missing", `${nameOf(entry, index)} ${problem}.`, index);
      const count = (chains.get(entry.creator)?.entries ?? 0) + 1;
      chains.set(entry.creator, { seq: entry.seq, last: hashes[position], entries: count });
    }
    if (entry.kind === "creator") names.push({ index, entry });
    if (entry.kind === "tip") tips.push({ index, entry });
    if (entry.kind === "result") {
      const wasOfficial = results.get(raceOf(entry))?.isOfficial;
      const isOfficial = entry.status === "official" || wasOfficial;
      results.set(raceOf(entry), { off: entry.off, isOfficial });
    }
    if (entry.kind === "withdrawal") {
      const tip = entry.of < index ? entries[entry.of - first] : null;
      if (entry.of < first) continue;
      if (tip?.kind !== "tip" || tip.creator !== entry.creator)
        report("missing", `${nameOf(entry, index)} withdraws a tip that is not there.`, index);
      else if (entry.why === "shown") withdrawn.delete(entry.of);
      else withdrawn.set(entry.of, index);
    }
    if (entry.kind === "manifest") {
      const problem = await checkManifest(entry, index, first === 0 ? chains : null, manifests);
      if (problem) report("missing", `${nameOf(entry, index)} ${problem}.`, index);
    }
  }
  return { creators: chains.size, tips, names, results, withdrawn };
}

/** Returns what is wrong with an entry's number and `prev`, or null. */
function checkChain(chain, { kind, seq, prev }) {
  const expected = chain ? chain.seq + 1 : 0;
  if (seq < expected) return `repeats #${seq}`;
  if (seq > expected)
    return `follows ${chain ? `#${chain.seq}` : "nothing"}: #${expected} is missing`;
  if (prev !== chain?.last) return "does not name the entry before it";
  return seq === 0 && kind !== "creator" ? "comes before the entry of its creator" : null;
}

/**
 * Compares a manifest with the creators in the log before it, or only with its hash if the entries before it are
 * unknown. Returns what is wrong, or null.
 */
async function checkManifest(entry, index, chains, manifests) {
  const own = isObject(manifests) && Object.hasOwn(manifests, entry.file);
  const text = manifests instanceof Map ? manifests.get(entry.file) : own && manifests[entry.file];
  if (typeof text !== "string") return "is not there";
  if (toHex(await sha256(encoder.encode(text))) !== entry.file) return "is another file";
  if (!chains) return null;
  const lines = [...chains].map(([creator, chain]) =>
    toCanonicalJson({ creator, entries: chain.entries, last: chain.last }),
  );
  const expected = lines.sort().map((line) => `${line}\n`);
  if (entry.creators !== chains.size || entry.entries !== index || text !== expected.join(""))
    return `does not list the ${chains.size} creators and ${index} entries before it`;
  return null;
}

/**
 * Looks for the reveal that fits an entry's commitment. Returns its value, or what is wrong and
 * whether a reveal is there that does not fit.
 */
async function checkReveal(rows, name, entry, fields) {
  let problem = "was not revealed";
  let value = null;
  let isWrong = false;
  for (const { salt, text, erased, why } of rows ?? []) {
    if (erased !== undefined) {
      problem = `was not revealed: erased on ${plain(erased)}, ${plain(why)}`;
      continue;
    }
    const [saltBytes, parsed] = [fromBase64(salt), parseCanonical(text)];
    const fits =
      saltBytes?.length === 32 &&
      isObject(parsed) &&
      Object.keys(parsed).join() === fields &&
      keyOf(parsed) === keyOf(entry) &&
      toBase64(
        await sha256(encoder.encode(`furlong.proof/v1 ${name}\n`), saltBytes, encoder.encode(text)),
      ) === entry[name];
    if (fits) value = parsed;
    else isWrong = true;
  }
  if (isWrong) return { value: null, isWrong, problem: "was revealed as something else" };
  return { value, isWrong, problem };
}

/** Reports each tip of the site that is not in the log, or is there with other details. */
function checkNeverLogged(rows, verb, tipsByKey, report) {
  for (const row of rows) {
    const tip = tipsByKey.get(keyOf(row));
    const details = ["venue", "date", "race", "horse"].filter(
      (field) => row?.[field] !== undefined && row[field] !== null,
    );
    if (tip && details.every((field) => tip[field] === undefined || tip[field] === row[field]))
      continue;
    const id = `tip #${plain(row?.seq)} of creator ${plain(row?.creator)}`;
    const place = details.map((field) => `${field} ${plain(row[field])}`).join(", ");
    report("never logged", `The site ${verb} ${id} (${place}), which is not in the log.`);
  }
}

/** The form that each kind of entry must have. Other kinds are allowed, so that the log can grow. */
const isText = (value) => typeof value === "string";
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isVenue = (value) => isText(value) && /^[a-z0-9-]{1,100}$/.test(value);
const isTimeOrNull = (value) => value === null || isTime(value);
const RACE = { venue: isVenue, date: isDate, race: isCount, off: isTimeOrNull };
const FORMS = {
  creator: { creator: isText, name: isText },
  tip: { creator: isText, ...RACE, selection: isText, reasons: isText },
  withdrawal: {
    creator: isText,
    of: isCount,
    why: (value) => ["hidden", "deleted", "shown"].includes(value),
  },
  result: { ...RACE, status: isText },
  key: { vkey: isText, from: isCount, why: isText },
  incident: { text: isText },
  manifest: { date: isDate, creators: isCount, entries: isCount, file: isText },
};

/** Returns the object of an entry, or null if it is not canonical JSON of a known form. */
function parseEntry(text) {
  const entry = encoder.encode(text).length < 65_536 ? parseCanonical(text) : null;
  if (!isObject(entry) || entry.v !== 1 || !isTime(entry.at) || !isText(entry.kind)) return null;
  const form = Object.hasOwn(FORMS, entry.kind) ? FORMS[entry.kind] : {};
  if (!Object.entries(form).every(([field, isValid]) => isValid(entry[field]))) return null;
  return entry.creator === undefined || keyOf(entry) !== null ? entry : null;
}

/** Returns what an entry is called in messages. */
function nameOf(entry, index) {
  if (entry?.kind === "tip")
    return `Tip #${entry.seq} of creator ${entry.creator} (${entry.venue}, ${entry.date}, race ${entry.race})`;
  if (entry?.creator) return `Entry #${entry.seq} of creator ${entry.creator}`;
  if (entry?.kind === "result")
    return `The result of ${entry.venue}, ${entry.date}, race ${entry.race}`;
  return entry?.kind === "manifest" ? `The manifest of ${entry.date}` : `Entry ${index}`;
}

function lowerFirst(text) {
  return text[0].toLowerCase() + text.slice(1);
}

/** Parses JSON that has one form only (RFC 8785): sorted keys, no spaces, no key twice. */
function parseCanonical(text) {
  try {
    const value = JSON.parse(text);
    return toCanonicalJson(value) === text ? value : null;
  } catch {
    return null; // not JSON, or nested too deeply
  }
}

function toCanonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toCanonicalJson(value[key])}`).join()}}`;
}

function groupByKey(rows) {
  const groups = new Map();
  for (const row of list(rows)) {
    const key = keyOf(row);
    if (groups.has(key)) groups.get(key).push(row);
    else groups.set(key, [row]);
  }
  groups.delete(null);
  return groups;
}

/** Returns what identifies a creator's entry, or null if it has no creator's id and number. */
function keyOf(row) {
  const isKey = isText(row?.creator) && /^[0-9a-f]{32}$/.test(row.creator) && isCount(row.seq);
  return isKey ? `${row.creator} ${row.seq}` : null;
}

function raceOf({ venue, date, race }) {
  return `${venue} ${date} ${race}`;
}

function isObject(value) {
  return typeof value === "object" && value !== null;
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

/** Returns a value from outside as one short line. */
function plain(value) {
  const text = isText(value) || Number.isFinite(value) ? String(value) : "?";
  return text.replace(/[\p{C}\p{Z}]+/gu, " ").slice(0, 100);
}

/** Returns true for a time as the log writes it: 2026-11-21T07:41:09.412Z. */
function isTime(value) {
  return (
    isText(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** Returns true for a calendar day that exists, such as 2026-11-21. */
function isDate(value) {
  const time = isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** Returns the calendar day in South Africa, which is two hours ahead of UTC all year. */
function saDate(time) {
  return new Date(new Date(time).getTime() + 2 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

async function sha256(...parts) {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/** Returns the bytes, or null if the text is not their only base64 form. */
function fromBase64(text) {
  if (!isText(text) || text.length > 200 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
