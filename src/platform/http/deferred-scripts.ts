import { EARLY_SUBMISSION_SCRIPT } from "#ui/forms/early-submission.ts";

const DEFERRED = "later";

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
 * Starts the scripts when a control is touched or focused, or a key pressed. Questions and answers open without them; the
 * menu opens too, but a touch outside closes it only with them. Immediately for a link to a part of the page,
 * which the scripts may have to open, and after a reload, which can have interrupted a navigation.
 */
const START_ON_USE = `
  const [visit] = performance.getEntriesByType("navigation");
  if (location.hash || visit?.type === "reload") return load();
  const onUse = ({ type, target }) =>
    (type === "keydown" || target.closest?.("button, input, select, textarea, header summary")) && load();
  for (const type of ["keydown", "focusin", "pointerdown"]) addEventListener(type, onUse, true);`;

/**
 * Returns the inline script that starts the deferred ones. They are fetched together and run one by one in separate tasks,
 * so that a slow phone can respond to touches in between.
 *
 * Browsers older than those named in README.md show the page without JavaScript: the three features that
 * `isSupported` checks require Chrome 106, Safari 16.4 and Firefox 113.
 */
const createLoader = (start: string) =>
  `(() => {
  const isSupported =
    CSS.supports("width:1ic") && "inert" in document.body && "CompressionStream" in window;
  if (!isSupported) {
    for (const element of document.querySelectorAll("noscript")) element.outerHTML = element.textContent;
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
    document.head.append(script);
  };${start}
})();`.replace(/\n\s*/g, " ");

const LOADERS = {
  paint: createLoader(START_AFTER_PAINT),
  use: createLoader(START_ON_USE),
  minute: createLoader(`${START_ON_USE} setTimeout(load, 60000);`),
};

/**
 * When the scripts of a page start: after the first paint; when a control of the page is used; or then, but a minute after
 * it was shown at the latest, because it shows the next race.
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
  // Links are in the head and scripts at the end; the long part between is not searched.
  const bodyAt = html.indexOf("<body");
  const scriptAt = html.lastIndexOf("<script", html.lastIndexOf(' type="module"'));
  if (bodyAt < 0 || scriptAt < bodyAt) return html;
  const loader = `<script${nonce ? ` nonce="${nonce}"` : ""}>${EARLY_SUBMISSION_SCRIPT} ${LOADERS[start]}</script>`;
  const head = html
    .slice(0, bodyAt)
    .replaceAll('<link rel="modulepreload"', `<link rel="${DEFERRED}"`);
  const scripts = html
    .slice(scriptAt)
    .replace(' type="module"', ` type="${DEFERRED}"`)
    .replace("</body>", `${loader}</body>`);
  return `${head}${html.slice(bodyAt, scriptAt)}${scripts}`;
}
