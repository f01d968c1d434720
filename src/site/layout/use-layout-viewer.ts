import { useRouteLoaderData } from "react-router";
import type { loader } from "./site.layout.tsx";
import type { LayoutViewer } from "./site-layout.ui.tsx";

/** Returns the viewer loaded by the site layout, or null for a guest. */
export function useLayoutViewer(): LayoutViewer | null {
  return useRouteLoaderData<typeof loader>("site-layout")?.viewer ?? null;
}
