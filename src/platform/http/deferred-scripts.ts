import { NEXT_PAGE_KEY, SIGNED_IN_AT_KEY } from "#platform/storage-keys.ts";
import { closeMenus } from "#ui/close-menus.ts";
import { formatRemaining } from "#ui/format-remaining.ts";
import { EARLY_SUBMISSION_SCRIPT, HYDRATED_FORMS_ATTRIBUTE } from "#ui/forms/early-submission.ts";
import { runCarousel } from "#ui/run-carousel.ts";
import { STALE_MS } from "#ui/stale-ms.ts";

/** Removes indentation, lines that are comments, and line breaks within statements and after them. */
const compact = (script: string) =>
  script.replace(/^\s*(\/\/.*)?\n?/gm, "").replace(/([;{(,])\n/g, "$1");

const DEFERRED = "later";
const CAROUSEL = "data-carousel";

/** Buttons that do nothing without the application's scripts. */
const SCRIPTED_BUTTONS = `:is(button[type=button], form[method=dialog] button):not([${CAROUSEL}] *)`;

/**
 * Presses a button again once the scripts run that was pressed before, and shows that it is busy until then. Says so when
 * they cannot be loaded.
 */
const PRESS_AGAIN = `
  let pressed = null;
  let hasFailed = false;
  const giveUp = () => {
    hasFailed = true;
    if (!pressed) return;
    pressed.removeAttribute("aria-busy");
    showEarlyNotice("We couldn't load this. Check your connection and reload the page.");
  };
  const onPress = ({ target }) => {
    const button = target.closest?.(scriptedButtons);
    if (!button) return;
    pressed?.removeAttribute("aria-busy");
    pressed = button;
    button.setAttribute("aria-busy", "true");
    if (hasFailed) giveUp();
  };
  addEventListener("click", onPress, true);
  addEventListener("unhandledrejection", giveUp);
  new MutationObserver((_, observer) => {
    observer.disconnect();
    removeEventListener("click", onPress, true);
    removeEventListener("unhandledrejection", giveUp);
    pressed?.removeAttribute("aria-busy");
    pressed?.click();
  }).observe(document.documentElement, { attributeFilter: ["${HYDRATED_FORMS_ATTRIBUTE}"] });`;

/**
 * Starts the scripts after the first contentful paint, or immediately in a hidden window. The paint is observed, because
 * an animation frame can come before it on a busy phone, and fetching scripts then delays visible content.
 */
const START_AFTER_PAINT = `
  if (document.hidden) return load();
  if (!PerformanceObserver.supportedEntryTypes.includes("paint")) {
    requestAnimationFrame(() => setTimeout(load));
  } else {
    const onPaint = (entries) => entries.getEntriesByName("first-contentful-paint").length > 0 && load();
    new PerformanceObserver(onPaint).observe({ type: "paint", buffered: true });
  }
  setTimeout(load, 1000);`;

/**
 * Starts the scripts when a control is touched or focused, or a key pressed; menus, which Escape closes, answers and the
 * carousel work without them. Immediately for a link to an answer, which they open, and after a reload that interrupted a navigation.
 *
 * Reloads the page when it is shown again after the guest has signed in, or when the condition `isOld` holds. Times are
 * the browser's, because `performance.now()` stands still while a phone sleeps.
 */
const startOnUse = (isOld: string) => `
  try {
    const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (linked?.closest("details") || sessionStorage.getItem("${NEXT_PAGE_KEY}")) return load();
  } catch {
    return load();
  }
  const onUse = ({ type, key, target }) => {
    const control = target.closest?.("button, input, select, textarea");
    const isUse = type === "keydown" ? key !== "Escape" : control && !control.closest("[${CAROUSEL}]");
    if (isUse) load();
  };
  for (const type of ["keydown", "focusin", "pointerdown"]) addEventListener(type, onUse, true);
  const openedAt = Date.now() - performance.now();
  const [visit] = performance.getEntriesByType("navigation");
  // Back has shown a copy whose age is unknown.
  const isStoredCopy = visit?.type === "back_forward" && visit.transferSize === 0;
  const hasSignedIn = () => {
    try {
      return localStorage.getItem("${SIGNED_IN_AT_KEY}") > (isStoredCopy ? 0 : openedAt);
    } catch {}
  };
  const onShow = async () => {
    if (document.visibilityState !== "visible" || !(hasSignedIn() || ${isOld})) return;
    const { ok } = await fetch("/health/ready", { cache: "no-store" }).catch(() => ({ ok: false }));
    if (ok && !isStarted) location.reload();
  };
  addEventListener("visibilitychange", onShow, true);
  addEventListener("pageshow", ({ persisted }) => (persisted || isStoredCopy) && onShow());`;

const START_ON_USE = startOnUse("false");

/** Counts down until the scripts run, and starts them at the next off. Reloads a page that is out of date. */
const START_AT_NEXT_OFF = `${startOnUse(`isStoredCopy || Date.now() - openedAt > ${STALE_MS}`)}
  const formatRemaining = ${formatRemaining};
  const countdowns = [...document.querySelectorAll("time[datetime^=PT]")]
    .map((element) => [element, parseInt(element.dateTime.slice(2))]);
  const timer = setInterval(() => {
    if (document.documentElement.hasAttribute("${HYDRATED_FORMS_ATTRIBUTE}")) return clearInterval(timer);
    for (const [element, seconds] of countdowns) {
      const remaining = Math.max(0, seconds - Math.floor((Date.now() - openedAt) / 1000));
      element.textContent = formatRemaining(remaining);
      if (remaining === 0) load();
    }
  }, 1000);`;

const MENU_SCRIPT = compact(`(${closeMenus})();`);
const CAROUSEL_SCRIPT = compact(
  `for (const carousel of document.querySelectorAll("[${CAROUSEL}]")) (${runCarousel})(carousel);`,
);
/**
 * Returns the inline script that starts the deferred ones. They are fetched together and run one by one in separate tasks,
 * so that a slow phone can respond to touches in between.
 *
 * Browsers older than those named in README.md show the page without the application's scripts: the three features that
 * `isSupported` checks require Chrome 106, Safari 16.4 and Firefox 113.
 */
const createLoader = (start: string) =>
  `(() => {
  const scriptedButtons = "${SCRIPTED_BUTTONS}";
  const isSupported =
    CSS.supports("width:1ic") && "inert" in document.body && "CompressionStream" in window;
  if (!isSupported) {
    for (const element of document.querySelectorAll("noscript")) element.outerHTML = element.textContent;
    for (const button of document.querySelectorAll(scriptedButtons)) button.disabled = true;
    return;
  }
  let isStarted = false;
  const load = async () => {
    if (isStarted) return;
    isStarted = true;
    const links = [...document.querySelectorAll("link[rel=${DEFERRED}]")];
    const deferredScript = document.querySelector("script[type=${DEFERRED}]");
    for (const link of links) link.rel = "modulepreload";
    try {
      for (const { href } of links) {
        const path = href.slice(location.origin.length);
        if (deferredScript.text.includes('import("' + path)) continue;
        await import(href);
        await new Promise((resolve) => setTimeout(resolve));
      }
    } catch {}
    const script = document.createElement("script");
    script.type = "module";
    script.nonce = deferredScript.nonce;
    script.text = deferredScript.text;
    script.onerror = giveUp;
    document.head.append(script);
  };${PRESS_AGAIN}${start}
})();`;

const LOADERS = {
  paint: compact(createLoader(START_AFTER_PAINT)),
  use: compact(createLoader(START_ON_USE)),
  minute: compact(createLoader(`${START_ON_USE} setTimeout(load, 60000);`)),
  "next-off": compact(createLoader(START_AT_NEXT_OFF)),
};

/**
 * When the scripts of a page start: after the first paint; when a control of the page is used; or then, but at the latest a
 * minute after it was shown, because it shows the next race, or at the next off, to which it counts down.
 */
export type ScriptStart = keyof typeof LOADERS;

/**
 * Returns the page with its scripts deferred, so that a slow connection loads visible content first, and a guest who
 * only reads loads none. Pages can be read and forms work without JavaScript.
 */
export function deferScripts(
  html: string,
  { nonce, start }: { nonce: string | undefined; start: ScriptStart },
): string {
  // Links are in the head and scripts at the end.
  const bodyAt = html.indexOf("<body");
  const scriptAt = html.lastIndexOf("<script", html.lastIndexOf(' type="module"'));
  if (bodyAt < 0 || scriptAt < bodyAt) return html;
  const carousel = html.includes(` ${CAROUSEL}=`) ? CAROUSEL_SCRIPT : "";
  const script = [EARLY_SUBMISSION_SCRIPT, MENU_SCRIPT, LOADERS[start], carousel].join("\n");
  const loader = `<script${nonce ? ` nonce="${nonce}"` : ""}>${script}</script>`;
  const head = html
    .slice(0, bodyAt)
    .replaceAll('<link rel="modulepreload"', `<link rel="${DEFERRED}"`);
  const scripts = html
    .slice(scriptAt)
    .replace(' type="module"', ` type="${DEFERRED}"`)
    .replace("</body>", () => `${loader}</body>`);
  return `${head}${html.slice(bodyAt, scriptAt)}${scripts}`;
}
