import { useRouteLoaderData } from "react-router";
import type { loader } from "./frame.layout.tsx";
import type { FrameViewer } from "./frame.ui.tsx";

/** Who is here, as the frame round the page knows it; null for a guest. */
export function useFrameViewer(): FrameViewer | null {
  return useRouteLoaderData<typeof loader>("frame")?.viewer ?? null;
}
