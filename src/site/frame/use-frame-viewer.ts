import { useRouteLoaderData } from "react-router";
import type { loader } from "./frame.layout.tsx";
import type { FrameViewer } from "./frame.ui.tsx";

/** Returns the viewer loaded by the frame, or null for a guest. */
export function useFrameViewer(): FrameViewer | null {
  return useRouteLoaderData<typeof loader>("frame")?.viewer ?? null;
}
