import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { RouterContextProvider } from "react-router";
import { dateAt } from "#domain/calendar.ts";
import { COIN_CENTS, formatRand } from "#domain/coins.ts";
import {
  findViewerByToken,
  setViewer,
  tokenFingerprint,
  type Viewer,
} from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { acceptsGzip, compressResponse } from "#platform/http/compress.server.ts";
import {
  createPageTemplate,
  fillTemplate,
  fillTemplateAsGzip,
  type Marker,
  type PageTemplate,
  type TemplateValues,
  templateTexts,
} from "#platform/http/page-template.server.ts";
import type { RequestDetails } from "#platform/http/request.server.ts";
import { toScriptString } from "#platform/http/script-string.ts";
import { buildContentSecurityPolicy } from "#platform/http/security-headers.server.ts";
import { log } from "#platform/log.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { OWNER_HEADER } from "#platform/offline.ts";
import { type OpenedTip, readOpenedTips } from "#sales/sales.server.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { setHomeInput } from "./home-input.server.ts";
import { parseListFilter } from "./list-filter.ts";
import { type HomePreview, readHomePreview } from "./read-home-preview.server.ts";

/** Renders a page or its data. `prepare` sets its context before the loaders run. */
export type RenderPage = (
  target: string,
  details: RequestDetails,
  prepare: (context: RouterContextProvider) => void,
) => Promise<Response>;

/** What one user's home page shows, apart from what it shows to everyone. */
type UserData = {
  viewer: Viewer;
  wallet: { balanceCoins: number; owedCoins: number };
  opened: Map<string, OpenedTip[]>;
};

/** A rendered page without the values of a user, and its headers. */
type CachedHome = { template: PageTemplate; headers: Record<string, string> };

/** The user's values in a page, as they are shown. */
type PersonalValues = { nonce: string; requestId: string; name: string; coins: number };

/** The home page and its data, as they are requested. */
const TARGETS = new Set(["/", "/_.data"]);
/** Different pages per version of the public data. Beyond that pages are rendered for one request. */
const MAX_PAGES = 40;

/**
 * The pages of each version of the public data. An update or the time replaces the version, and with
 * it every page rendered from it.
 */
const pages = new WeakMap<HomePreview, Map<string, Promise<CachedHome | null>>>();

/** Returns whether the address is the home page or its data. */
export function isCachedHome(target: string): boolean {
  return TARGETS.has(target);
}

/**
 * Returns the home page of the user with this session token. The session, balance and opened tips
 * are read for each request. The page is rendered once for all users who see the same, apart from
 * their name, balance and idempotency keys, which are filled in. Returns null for an ended session
 * and when the page must be rendered for this request.
 */
export async function respondWithCachedHome(
  target: string,
  {
    token,
    acceptEncoding,
    render,
  }: { token: string; acceptEncoding: string | undefined; render: RenderPage },
): Promise<Response | null> {
  const data = await readHome(token);
  if (!data) return null;
  const { user, preview } = data;
  const page = await findPage({ target, user, preview, render });
  if (!page) return null;
  const own = {
    nonce: createNonce(),
    requestId: randomUUID(),
    name: user.viewer.name,
    coins: user.wallet.balanceCoins,
  };
  const values = composeValues(own);
  const headers = new Headers(page.headers);
  headers.set("Content-Security-Policy", buildContentSecurityPolicy({ nonce: own.nonce }));
  headers.set("Cache-Control", "no-store");
  headers.set(OWNER_HEADER, tokenFingerprint(token));
  if (!acceptsGzip(acceptEncoding))
    return await compressResponse(
      new Response(null, { headers }),
      acceptEncoding,
      fillTemplate(page.template, values),
    );
  const body = fillTemplateAsGzip(page.template, values);
  headers.append("Vary", "Accept-Encoding");
  headers.set("Content-Encoding", "gzip");
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { headers });
}

/** Reads what the page shows; null for an ended session, and after an error, which the page shows. */
async function readHome(token: string): Promise<{ user: UserData; preview: HomePreview } | null> {
  const at = now();
  try {
    const [viewer, preview] = await Promise.all([
      findViewerByToken(token),
      readHomePreview({ at, filter: parseListFilter(new URLSearchParams(), dateAt(at)) }),
    ]);
    if (!viewer) return null;
    const [{ balanceCoins, owedCoins }, opened] = await Promise.all([
      readWallet(viewer.id),
      readOpenedTips(
        viewer.id,
        preview.raceCards.map((raceCard) => raceCard.id),
      ),
    ]);
    return { user: { viewer, wallet: { balanceCoins, owedCoins }, opened }, preview };
  } catch {
    // The page reads the same again, and reports the error.
    return null;
  }
}

type PageInput = { target: string; user: UserData; preview: HomePreview; render: RenderPage };

async function findPage(input: PageInput): Promise<CachedHome | null> {
  const { preview } = input;
  const versions = pages.get(preview) ?? new Map<string, Promise<CachedHome | null>>();
  pages.set(preview, versions);
  const key = pageKey(input);
  const cached = versions.get(key);
  if (cached) return await cached;
  if (versions.size >= MAX_PAGES) return null;
  const rendered = renderTemplate(input).catch((error) => {
    logFailure("error", { error }, "home could not be cached");
    return null;
  });
  versions.set(key, rendered);
  return await rendered;
}

/** Everything of a user that changes the page, except the values that are filled in. */
function pageKey({ target, user, preview }: PageInput): string {
  const { viewer, wallet, opened } = user;
  return JSON.stringify([
    target,
    viewer.roles,
    wallet.owedCoins,
    isOneCoin(wallet.balanceCoins),
    findOwnId(viewer, preview),
    // The list shows which race cards are opened, but not their tips.
    [...opened.keys()].sort(),
  ]);
}

/** The word for one coin differs, so its page is separate. */
function isOneCoin(coins: number): boolean {
  return coins === 1;
}

/** Returns the viewer's id if the page shows a race card of theirs. */
function findOwnId(viewer: Viewer, preview: HomePreview): string | null {
  return preview.raceCards.some((raceCard) => raceCard.creator.id === viewer.id) ? viewer.id : null;
}

/**
 * Renders the page of an invented user with the same roles and race cards. Returns null if the page
 * cannot be cached.
 */
async function renderTemplate(input: PageInput): Promise<CachedHome | null> {
  const { target, user, preview, render } = input;
  const random = randomBytes(16).toString("hex");
  const invented = {
    nonce: createNonce(),
    requestId: randomUUID(),
    // The ampersand distinguishes the name in HTML, in a script and in page data.
    name: `&${random}`,
    coins: isOneCoin(user.wallet.balanceCoins) ? 1 : randomInt(1e12, 1e12 + 2 ** 47),
  };
  const viewer: Viewer = {
    id: findOwnId(user.viewer, preview) ?? randomUUID(),
    name: invented.name,
    email: `${random}@example.test`,
    emailVerified: true,
    roles: user.viewer.roles,
  };
  const details: RequestDetails = {
    id: randomUUID(),
    path: "/",
    clientAddress: "",
    cookies: null,
    nonce: invented.nonce,
  };
  const response = await render(target, details, (context) => {
    setViewer(context, viewer);
    setHomeInput(context, {
      preview,
      wallet: { balanceCoins: invented.coins, owedCoins: user.wallet.owedCoins },
      opened: user.opened,
      requestId: invented.requestId,
    });
  });
  if (response.status !== 200 || response.headers.has("Set-Cookie")) return null;
  const template = createPageTemplate(await response.text(), composeMarkers(invented));
  if (!template) return null;
  const unknown = [viewer.id, viewer.email, details.id, random, invented.requestId];
  if (invented.coins !== 1) unknown.push(String(invented.coins));
  if (containsAny(template, unknown)) {
    log.error({ target }, "home shows a value of the user in an unknown form and is not cached");
    return null;
  }
  return { template, headers: Object.fromEntries(response.headers) };
}

/** Returns whether the common text of a page contains one of these values, also with separators. */
function containsAny(template: PageTemplate, values: string[]): boolean {
  return templateTexts(template).some((text) => {
    const withoutSeparators = text.replace(/[\s,.]/g, "");
    return values.some((value) => text.includes(value) || withoutSeparators.includes(value));
  });
}

const ESCAPED_IN_HTML: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

/** Returns each value in every form in which the page contains it. */
function composeValues({ nonce, requestId, name, coins }: PersonalValues) {
  const nameInData = JSON.stringify(name).slice(1, -1);
  return {
    nonce,
    requestId,
    // As React escapes text and attributes.
    nameInHtml: name.replace(/[&<>"']/g, (character) => ESCAPED_IN_HTML[character] ?? character),
    nameInData,
    nameInScript: toScriptString(nameInData).slice(1, -1),
    coins: String(coins),
    groupedCoins: formatInteger(coins),
    priceOfCoins: formatRand(coins * COIN_CENTS),
  } satisfies TemplateValues;
}

/** Returns the markers of an invented user's values. One coin is part of the page. */
function composeMarkers(invented: PersonalValues): Marker[] {
  const fixedLength = new Set(["nonce", "requestId"]);
  const coins = new Set(["coins", "groupedCoins", "priceOfCoins"]);
  return Object.entries(composeValues(invented))
    .filter(([value]) => invented.coins !== 1 || !coins.has(value))
    .map(([value, text]) => ({ text, value, hasFixedLength: fixedLength.has(value) }));
}

/** Returns a nonce without characters that HTML escapes. */
function createNonce(): string {
  return randomBytes(16).toString("base64url");
}
