import type { MetaDescriptor } from "react-router";
import { pageMeta } from "#ui/page-meta.ts";

type PublicPage = {
  /** Without the product name, which is appended. */
  title: string;
  /** One or two sentences for search results. */
  description: string;
  /** The canonical path, without parameters. */
  path: string;
  /** The parent pages, first to last, without home. */
  crumbs?: readonly { name: string; path: string }[];
  /** The path of the preview image, if the page has its own. */
  imagePath?: string;
  /** Additional structured data. */
  structuredData?: readonly Record<string, unknown>[];
};

/** The matches of a page's `meta`. */
export type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

const SITE_LAYOUT_ROUTE = "site-layout";

/** Returns the data of the site layout; undefined when it failed. */
export function findSiteLayoutData(matches: Matches): unknown {
  return matches.find((match) => match?.id === SITE_LAYOUT_ROUTE)?.loaderData;
}

/** Returns the title, description, canonical link, preview and breadcrumbs of a public page. */
export function publicMeta(matches: Matches, page: PublicPage): MetaDescriptor[] {
  const layoutData = findSiteLayoutData(matches);
  // The layout has no data when it failed; an error page is shown.
  if (!layoutData) return pageMeta(page);
  const { appUrl } = layoutData as { appUrl: string };
  const trail = [
    { name: "Home", path: "/" },
    ...(page.crumbs ?? []),
    ...(page.path === "/" ? [] : [{ name: page.title, path: page.path }]),
  ];
  const structuredData = [
    {
      "@type": "BreadcrumbList",
      itemListElement: trail.map((crumb, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: crumb.name,
        item: `${appUrl}${crumb.path}`,
      })),
    },
    ...(page.structuredData ?? []),
  ];
  return [
    ...pageMeta(page),
    { tagName: "link", rel: "canonical", href: `${appUrl}${page.path}` },
    { property: "og:url", content: `${appUrl}${page.path}` },
    { property: "og:type", content: "website" },
    { property: "og:locale", content: "en_ZA" },
    { property: "og:image", content: `${appUrl}${page.imagePath ?? "/share.png"}` },
    { name: "twitter:card", content: "summary_large_image" },
    // JSON-LD is not executed, so the content security policy does not apply.
    {
      "script:ld+json": { "@context": "https://schema.org", "@graph": structuredData },
    } as MetaDescriptor,
  ];
}
