import sharp from "sharp";
import {
  chanceTries,
  lookForMarkup,
  MARK,
  NAUGHTY,
  naughtyTries,
  sendBadInput,
} from "#test/bad-input.ts";
import { pixelBomb } from "#test/pixel-bomb.ts";
import { badInputWorld } from "../bad-input-target.ts";
import { type Answer, ask } from "../http-client.ts";
import { type Arena, expectThat, type Trial } from "../scenario.ts";
import { percentile, tally } from "../statistics.ts";
import { makePeople, makeTipsters, type Person } from "../users.ts";

const RUNS = { quick: 300, full: 50_000 };
const EACH_NAUGHTY = { quick: 20, full: 1 };
const AT_ONCE = 8;
/** A busy machine takes its time; a hang takes more. */
const ANSWERED_WITHIN_MS = { quick: 60_000, full: 10_000 };
const REFUSED_WITHIN_MS = 500;
const PHOTO = "/.netlify/functions/update-tipster-profile-image";

/**
 * Whatever is sent over the network, by whomever, wherever, is answered without an error of ours and soon;
 * no process ends, nothing that was stored is shown as markup, and no picture is more than a picture.
 */
export const badInput: Trial = {
  name: "bad-input",
  async breakIt({ db }) {
    // Less is taken by the records than by the doors before them.
    await db.query(
      `create function narrow() returns trigger language plpgsql as $$
       begin if length(new.name) > 30 then raise exception 'too long'; end if; return new; end $$;
       create trigger users_narrow before update on users for each row execute function narrow()`,
    );
  },
  async run(arena) {
    const { db, dice, quick, web } = arena;
    const size = quick ? "quick" : "full";
    const seed = dice.between(0, 1e9);
    const endedBefore = web.ended;
    const world = await badInputWorld(arena);
    const tries = [
      ...chanceTries({ runs: RUNS[size], seed }),
      ...naughtyTries({ seed, each: EACH_NAUGHTY[size] }),
    ];
    const { answered, faults, ms } = await sendBadInput(world, tries, {
      atOnce: AT_ONCE,
      withinMs: ANSWERED_WITHIN_MS[size],
    });
    const problems = [...new Set(faults)].slice(0, 20);
    // Some of it no client could send at all.
    expectThat(problems, answered > tries.length * 0.8, `only ${answered} were answered`);
    problems.push(...(await keepNaughtyNames(arena, EACH_NAUGHTY[size])));
    await db.query("update users set name = $1 where closed_at is null", [`</p><${MARK}>"'`]);
    await db.query("update creators set bio = $1, specialization = $1", [`</script><${MARK}>"'`]);
    const { shown, faults: shownFaults } = await lookForMarkup(world, AT_ONCE);
    problems.push(...shownFaults.slice(0, 5));
    expectThat(problems, shown > 5, `only ${shown} pages show what is marked`);
    const pictures = await sendPictures(arena);
    problems.push(...pictures.problems);
    const ended = web.ended - endedBefore;
    expectThat(problems, ended === 0, `${ended} web processes ended`);
    return {
      did: `${tries.length} requests of which something is bad, ${NAUGHTY.length} naughty strings among them, as ${world.people} kinds of people to ${world.addresses.length} addresses`,
      figure: `${answered} answered, ${faults.length} badly; p99 ${Math.round(percentile(ms, 0.99))} ms, at worst ${Math.round(Math.max(0, ...ms))} ms; marked text as text on ${shown} pages; ${pictures.figure}`,
      problems,
    };
  },
};

/** Naughty strings as a name, where it may be one: it is shown as it is, and as nothing else. */
async function keepNaughtyNames({ db, web }: Arena, each: number): Promise<string[]> {
  const problems: string[] = [];
  const [person] = (await makePeople(db, 1)) as [Person];
  const { cookie } = person;
  for (const name of NAUGHTY.filter((_, index) => index % each === 0)) {
    const kept = await ask(web.origin, "/profile/name", { form: { name }, cookie });
    const shown = await ask(web.origin, "/profile", { cookie });
    const told = JSON.stringify(name).slice(0, 80);
    for (const { status } of [kept, shown])
      expectThat(problems, status > 0 && status < 500, `${status}: the name ${told}`);
    const isMarkup = /<[a-z/!]/i.test(name) && name.length > 12 && shown.text.includes(name);
    expectThat(problems, !isMarkup, `markup: the name ${told}`);
  }
  return problems.slice(0, 5);
}

/** Pictures that are more, or less, than a picture; each with the status that it is answered. */
async function badPictures(): Promise<[what: string, bytes: Buffer, status: number][]> {
  const good = sharp({ create: { width: 300, height: 200, channels: 3, background: "#246" } });
  const png = await good.clone().png().toBuffer();
  const jpeg = await good.clone().jpeg().toBuffer();
  const script = "<script>alert(document.domain)</script>";
  const vast = Buffer.from(jpeg);
  // The height and width of a JPEG stand five bytes after the mark of its frame.
  vast.fill(
    0xff,
    vast.indexOf(Buffer.from([0xff, 0xc0])) + 5,
    vast.indexOf(Buffer.from([0xff, 0xc0])) + 9,
  );
  return [
    ["900 megapixels in a few kilobytes", pixelBomb(30_000, 30_000), 413],
    ["a very long strip", pixelBomb(1_000_000, 100), 413],
    ["a JPEG that says it is vast", vast, 415],
    ["an SVG", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`), 415],
    ["a page", Buffer.from(`<!doctype html>${script}`), 415],
    ["a GIF that is a script", Buffer.from(`GIF89a/*${script}*/`), 415],
    ["a PDF", Buffer.from("%PDF-1.7\n"), 415],
    ["a program", Buffer.from("\x7fELF\x02\x01\x01"), 415],
    ["half a PNG", png.subarray(0, png.length / 2), 415],
    ["a PNG with a script behind it", Buffer.concat([png, Buffer.from(script)]), 200],
    ["a JPEG with a page behind it", Buffer.concat([jpeg, Buffer.from(`<html>${script}`)]), 200],
  ];
}

async function sendPictures({ db, web }: Arena): Promise<{ figure: string; problems: string[] }> {
  const problems: string[] = [];
  const [{ cookie }] = (await makeTipsters(db, 1)) as [Person];
  const send = (bytes: Buffer, type = "image/png"): Promise<Answer> =>
    ask(web.origin, PHOTO, {
      json: { imageData: `data:${type};base64,${bytes.toString("base64")}` },
      cookie,
    });
  const pictures = await badPictures();
  const plain = pictures.at(-1)?.[1].subarray(0) ?? Buffer.alloc(0);
  await send(plain);
  const usual = await send(plain);
  const refusals: Answer[] = [];
  for (const [what, bytes, status] of pictures) {
    const answer = await send(bytes);
    expectThat(problems, answer.status === status, `${what}: ${answer.status}, not ${status}`);
    if (answer.status !== 200) {
      refusals.push(answer);
      continue;
    }
    const { profile_image: address = "" } = JSON.parse(answer.text);
    const kept = await ask(web.origin, address);
    expectThat(problems, kept.status === 200, `${what}: shown with ${kept.status}`);
    expectThat(problems, !kept.text.includes("<script"), `${what}: kept with its script`);
  }
  const worst = Math.round(Math.max(...refusals.map(({ ms }) => ms)));
  // On a machine that is busy with something else, what a usual photo takes anyway is what counts.
  const limit = Math.max(REFUSED_WITHIN_MS, 2 * usual.ms);
  expectThat(problems, worst <= limit, `a picture was refused after ${worst} ms`);
  return {
    figure: `pictures refused after at most ${worst} ms (${tally(refusals.map(({ status }) => status))})`,
    problems,
  };
}
