const LATER = "later";

/**
 * Lets the held scripts go once the page has been painted; in a window that nobody sees, at once. The
 * browser says when that was: a frame that has only begun is not in sight yet where a phone is busy, and
 * what is fetched from then on takes the place of what can be seen. They are all fetched together, and
 * run one by one with room for a touch between them: run as one, they would keep a slow phone from
 * answering.
 *
 * A browser older than README.md names keeps the page as it is without scripts, for ours would break in
 * it half-way. The three features together came with Chrome 106, Safari 16.4 and Firefox 113.
 */
const BEGIN = `(() => {
  const isSupported =
    CSS.supports("width:1ic") && "inert" in document.body && "CompressionStream" in window;
  if (!isSupported) {
    for (const each of document.querySelectorAll("noscript")) each.outerHTML = each.textContent;
    return;
  }
  let begun = false;
  const begin = async () => {
    if (begun) return;
    begun = true;
    const links = [...document.querySelectorAll("link[rel=${LATER}]")];
    const held = document.querySelector("script[type=${LATER}]");
    for (const link of links) link.rel = "modulepreload";
    try {
      for (const { href } of links) {
        const path = href.slice(location.origin.length);
        if (held.text.includes('import("' + path)) continue;
        await import(href);
        await new Promise((done) => setTimeout(done));
      }
    } catch {}
    const script = document.createElement("script");
    script.type = "module";
    script.nonce = held.nonce;
    script.text = held.text;
    document.head.append(script);
  };
  if (document.hidden) return begin();
  if (!PerformanceObserver.supportedEntryTypes.includes("paint")) {
    requestAnimationFrame(() => setTimeout(begin));
  } else {
    const seen = (entries) => entries.getEntriesByName("first-contentful-paint").length > 0 && begin();
    new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
  }
  setTimeout(begin, 1000);
})();`.replace(/\n\s*/g, " ");

/**
 * The same page with its scripts held until it has been painted: until then a slow connection carries
 * nothing but what can be seen, and a page is read and its forms work without them.
 */
export function deferScriptsUntilPaint(html: string, nonce: string | undefined): string {
  // Links are in the head and scripts at the end; what lies between is long, and stays as it is.
  const bodyAt = html.indexOf("<body");
  const scriptAt = html.lastIndexOf("<script", html.lastIndexOf(' type="module"'));
  if (bodyAt < 0 || scriptAt < bodyAt) return html;
  const begin = `<script${nonce ? ` nonce="${nonce}"` : ""}>${BEGIN}</script>`;
  const head = html
    .slice(0, bodyAt)
    .replaceAll('<link rel="modulepreload"', `<link rel="${LATER}"`);
  const scripts = html
    .slice(scriptAt)
    .replace(' type="module"', ` type="${LATER}"`)
    .replace("</body>", `${begin}</body>`);
  return `${head}${html.slice(bodyAt, scriptAt)}${scripts}`;
}
