const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&nbsp;": " ",
};

/** Returns the visible text of a page: no script elements or tags, with collapsed whitespace. */
export async function readVisibleText(response: Response): Promise<string> {
  const html = await response.text();
  return html
    .replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&[a-z#0-9x]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ");
}
