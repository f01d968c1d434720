const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&nbsp;": " ",
};

/** What somebody reads on a page: its text without scripts and tags, spaces drawn together. */
export async function textOfPage(answer: Response): Promise<string> {
  const html = await answer.text();
  return html
    .replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&[a-z#0-9x]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ");
}
