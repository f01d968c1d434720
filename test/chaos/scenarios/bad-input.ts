import sharp from "sharp";
import {
  findRenderedMarkup,
  generateRequests,
  MARK,
  NAUGHTY,
  naughtyRequests,
  sendBadInput,
} from "#test/bad-input.ts";
import { createDecompressionBomb } from "#test/decompression-bomb.ts";
import { createBadInputTarget } from "../bad-input-target.ts";
import { type ClientResponse, sendRequest } from "../http-client.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";
import { percentile, tally } from "../statistics.ts";
import { createTipsters, createUsers, type TestUser } from "../users.ts";

const RUNS = { quick: 300, full: 50_000 };
const STRING_STEP = { quick: 20, full: 1 };
const CONCURRENCY = 8;
/** Response time limits; the quick run shares its machine with other work. */
const MAX_RESPONSE_MS = { quick: 60_000, full: 10_000 };
const MAX_REFUSAL_MS = { quick: 10_000, full: 500 };
const PHOTO = "/.netlify/functions/update-tipster-profile-image";

/**
 * Sends invalid input to every endpoint as every role. No response may be a 5xx or late, no process
 * may exit, no stored text may be rendered as markup, and no uploaded image may store other content.
 */
export const badInput: Scenario = {
  name: "bad-input",
  async injectFault({ db }) {
    // Makes the table refuse names that the form validation accepts.
    await db.query(
      `create function limit_name_length() returns trigger language plpgsql as $$
       begin if length(new.name) > 30 then raise exception 'too long'; end if; return new; end $$;
       create trigger users_limit_name_length before update on users for each row execute function limit_name_length()`,
    );
  },
  async run(environment) {
    const { db, random, quick, web } = environment;
    const size = quick ? "quick" : "full";
    const seed = random.between(0, 1e9);
    const exitedBefore = web.exitedCount;
    const target = await createBadInputTarget(environment);
    const requests = [
      ...generateRequests({ runs: RUNS[size], seed }),
      ...naughtyRequests({ seed, step: STRING_STEP[size] }),
    ];
    const { responded, faults, ms } = await sendBadInput(target, requests, {
      concurrency: CONCURRENCY,
      timeoutMs: MAX_RESPONSE_MS[size],
    });
    const problems = [...new Set(faults)].slice(0, 20);
    // HTTP clients refuse to send some of the input.
    expectThat(
      problems,
      responded > requests.length * 0.8,
      `only ${responded} requests received a response`,
    );
    problems.push(...(await saveNaughtyNames(environment, STRING_STEP[size])));
    await db.query("update users set name = $1 where closed_at is null", [`</p><${MARK}>"'`]);
    await db.query("update creators set bio = $1, specialization = $1", [`</script><${MARK}>"'`]);
    const { pageCount, faults: renderingFaults } = await findRenderedMarkup(target, CONCURRENCY);
    problems.push(...renderingFaults.slice(0, 5));
    expectThat(problems, pageCount > 5, `only ${pageCount} pages render the marked text`);
    const images = await sendImages(environment);
    problems.push(...images.problems);
    const exited = web.exitedCount - exitedBefore;
    expectThat(problems, exited === 0, `${exited} web processes exited`);
    return {
      description: `${requests.length} invalid requests, among them ${NAUGHTY.length} strings of public lists, as ${target.roleCount} roles to ${target.endpoints.length} endpoints`,
      measurement: `${responded} responses, ${faults.length} faults; p99 ${Math.round(percentile(ms, 0.99))} ms, maximum ${Math.round(Math.max(0, ...ms))} ms; marked text escaped on ${pageCount} pages; ${images.measurement}`,
      problems,
    };
  },
};

/** Saves each public-list string as a user name and checks that the profile page escapes it. */
async function saveNaughtyNames({ db, web }: Environment, step: number): Promise<string[]> {
  const problems: string[] = [];
  const [user] = (await createUsers(db, 1)) as [TestUser];
  const { cookie } = user;
  for (const name of NAUGHTY.filter((_, index) => index % step === 0)) {
    const saved = await sendRequest(web.origin, "/profile/name", { form: { name }, cookie });
    const profile = await sendRequest(web.origin, "/profile", { cookie });
    const label = JSON.stringify(name).slice(0, 80);
    for (const { status } of [saved, profile])
      expectThat(problems, status > 0 && status < 500, `${status}: the name ${label}`);
    const isMarkup = /<[a-z/!]/i.test(name) && name.length > 12 && profile.text.includes(name);
    expectThat(problems, !isMarkup, `markup: the name ${label}`);
  }
  return problems.slice(0, 5);
}

/** Returns invalid and polyglot images, each with the expected response status. */
async function invalidImages(): Promise<[description: string, bytes: Buffer, status: number][]> {
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background: "#246" } });
  const png = await image.clone().png().toBuffer();
  const jpeg = await image.clone().jpeg().toBuffer();
  const script = "<script>alert(document.domain)</script>";
  const oversized = Buffer.from(jpeg);
  // The height and width of a JPEG start five bytes after its SOF0 marker.
  oversized.fill(
    0xff,
    oversized.indexOf(Buffer.from([0xff, 0xc0])) + 5,
    oversized.indexOf(Buffer.from([0xff, 0xc0])) + 9,
  );
  return [
    ["900 megapixels in a few kilobytes", createDecompressionBomb(30_000, 30_000), 413],
    ["a very long strip", createDecompressionBomb(1_000_000, 100), 413],
    ["a JPEG with a declared size of 65,535 squared", oversized, 415],
    ["an SVG", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`), 415],
    ["an HTML page", Buffer.from(`<!doctype html>${script}`), 415],
    ["a GIF that is a script", Buffer.from(`GIF89a/*${script}*/`), 415],
    ["a PDF", Buffer.from("%PDF-1.7\n"), 415],
    ["an executable", Buffer.from("\x7fELF\x02\x01\x01"), 415],
    ["half a PNG", png.subarray(0, png.length / 2), 415],
    ["a PNG with a script appended", Buffer.concat([png, Buffer.from(script)]), 200],
    [
      "a JPEG with an HTML page appended",
      Buffer.concat([jpeg, Buffer.from(`<html>${script}`)]),
      200,
    ],
  ];
}

async function sendImages({
  db,
  web,
  quick,
}: Environment): Promise<{ measurement: string; problems: string[] }> {
  const problems: string[] = [];
  const [{ cookie }] = (await createTipsters(db, 1)) as [TestUser];
  const send = (bytes: Buffer, type = "image/png"): Promise<ClientResponse> =>
    sendRequest(web.origin, PHOTO, {
      json: { imageData: `data:${type};base64,${bytes.toString("base64")}` },
      cookie,
    });
  const images = await invalidImages();
  const validImage = images.at(-1)?.[1].subarray(0) ?? Buffer.alloc(0);
  await send(validImage);
  const validResponse = await send(validImage);
  const refusals: ClientResponse[] = [];
  for (const [description, bytes, status] of images) {
    const response = await send(bytes);
    expectThat(
      problems,
      response.status === status,
      `${description}: ${response.status}, not ${status}`,
    );
    if (response.status !== 200) {
      refusals.push(response);
      continue;
    }
    const { profile_image: address = "" } = JSON.parse(response.text);
    const stored = await sendRequest(web.origin, address);
    expectThat(problems, stored.status === 200, `${description}: served with ${stored.status}`);
    expectThat(
      problems,
      !stored.text.includes("<script"),
      `${description}: stored with its script`,
    );
  }
  const maxMs = Math.round(Math.max(...refusals.map(({ ms }) => ms)));
  // On a busy machine the limit is twice the time of a valid photo.
  const limit = Math.max(quick ? MAX_REFUSAL_MS.quick : MAX_REFUSAL_MS.full, 2 * validResponse.ms);
  expectThat(problems, maxMs <= limit, `an image was refused after ${maxMs} ms`);
  return {
    measurement: `images refused within ${maxMs} ms (${tally(refusals.map(({ status }) => status))})`,
    problems,
  };
}
