import type { MetaDescriptor } from "react-router";

/** What every page says of itself: its title, one sentence on what is here, and whether to list it. */
export function pageMeta(page: {
  title: string;
  description: string;
  /** Not for search engines: what belongs to one person. */
  isPrivate?: boolean;
}): MetaDescriptor[] {
  const title = `${page.title} | Furlong`;
  return [
    { title },
    { name: "description", content: page.description },
    { property: "og:title", content: title },
    { property: "og:description", content: page.description },
    { property: "og:site_name", content: "Furlong" },
    ...(page.isPrivate ? [{ name: "robots", content: "noindex" }] : []),
  ];
}
