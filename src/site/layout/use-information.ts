import { useRouteLoaderData } from "react-router";
import type { loader } from "./information.layout.tsx";

export type Information = Awaited<ReturnType<typeof loader>>;

/**
 * Returns the company, payment provider, support address, public URL and terms of sales. Throws outside
 * the information layout.
 */
export function useInformation(): Information {
  const information = useRouteLoaderData<typeof loader>("information");
  if (!information) throw new Error("useInformation must be called inside the information layout");
  return information;
}
