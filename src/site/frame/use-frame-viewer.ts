import { useRouteLoaderData } from "react-router";
import type { loader } from "./frame.layout.tsx";
import type { LayoutViewer } from "./frame.ui.tsx";

/** Returns the viewer loaded by the site layout, or null for a guest. */
export function useLayoutViewer(): LayoutViewer | null {
  return useRouteLoaderData<typeof loader>("frame")?.viewer ?? null;
}
