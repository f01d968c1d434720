import type { MetaDescriptor } from "react-router";

/** Returns the meta tags of a page: title, description and whether search engines may index it. */
export function pageMeta(page: {
  title: string;
  description: string;
  /** Excludes the page from search engines. */
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
