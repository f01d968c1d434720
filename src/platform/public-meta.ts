import type { MetaDescriptor } from "react-router";
import { pageMeta } from "#ui/page-meta.ts";

type PublicPage = {
  /** Without the product's name, which is added. */
  title: string;
  /** One or two sentences for whoever has not opened the page yet. */
  description: string;
  /** The page's one address, without parameters. */
  path: string;
  /** The pages above it, first to last; home goes without saying. */
  crumbs?: readonly { name: string; path: string }[];
  /** The picture it is shared with, where it has one of its own. */
  picture?: string;
  /** More structured data that the page carries. */
  data?: readonly Record<string, unknown>[];
};

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

const FRAME_ROUTE = "frame";

/** Title, description, canonical link, preview and breadcrumbs of a page that everybody may find. */
export function publicMeta(matches: Matches, page: PublicPage): MetaDescriptor[] {
  const frame = matches.find((match) => match?.id === FRAME_ROUTE)?.loaderData;
  // Without its data the frame has failed, and what is shown is an error.
  if (!frame) return pageMeta(page);
  const { appUrl } = frame as { appUrl: string };
  const trail = [
    { name: "Home", path: "/" },
    ...(page.crumbs ?? []),
    ...(page.path === "/" ? [] : [{ name: page.title, path: page.path }]),
  ];
  const data = [
    {
      "@type": "BreadcrumbList",
      itemListElement: trail.map((crumb, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: crumb.name,
        item: `${appUrl}${crumb.path}`,
      })),
    },
    ...(page.data ?? []),
  ];
  return [
    ...pageMeta(page),
    { tagName: "link", rel: "canonical", href: `${appUrl}${page.path}` },
    { property: "og:url", content: `${appUrl}${page.path}` },
    { property: "og:type", content: "website" },
    { property: "og:locale", content: "en_ZA" },
    { property: "og:image", content: `${appUrl}${page.picture ?? "/share.png"}` },
    { name: "twitter:card", content: "summary_large_image" },
    // Data, which no browser runs: the policy on scripts has nothing to say about it.
    { "script:ld+json": { "@context": "https://schema.org", "@graph": data } } as MetaDescriptor,
  ];
}
