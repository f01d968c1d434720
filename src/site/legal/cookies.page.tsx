import text from "#content/legal/cookies.mdx";
import { publicMeta } from "#platform/public-meta.ts";
import type { Route } from "./+types/cookies.page.ts";
import { LegalDocument } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Cookie policy",
    description: "Furlong only sets necessary cookies. No advertising, no analytics, no banner.",
    path: "/cookies",
  });
}

export default function Cookies() {
  return <LegalDocument text={text} />;
}
