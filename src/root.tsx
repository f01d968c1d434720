import { Links, type LinksFunction, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { ErrorPage, errorTitle, rememberNextPage, SiteLayout } from "#site/site.ui.tsx";
import { fontUrls } from "#ui/fonts.ts";
import { keepFormWithoutResponse } from "#ui/forms/form-delivery.ts";
import type { Route } from "./+types/root.ts";
import "./ui/theme.css";

export const links: LinksFunction = () => [
  ...fontUrls.map((href) => ({
    rel: "preload",
    href,
    as: "font",
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export const meta: Route.MetaFunction = ({ error }) =>
  error ? [{ title: `${errorTitle(error)} | Furlong` }] : [{ title: "Furlong" }];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  rememberNextPage,
  keepFormWithoutResponse,
];

export function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en-ZA">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#0d4630" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b2c1f" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Renders the error page when the frame itself has failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <SiteLayout viewer={null}>
      <ErrorPage error={error} />
    </SiteLayout>
  );
}
