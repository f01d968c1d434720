import { useRouteLoaderData } from "react-router";
import type { loader } from "./information.layout.tsx";

export type Information = Awaited<ReturnType<typeof loader>>;

/** Company, payment provider, support address and public address, on any information page. */
export function useInformation(): Information {
  const information = useRouteLoaderData<typeof loader>("information");
  if (!information) throw new Error("only pages inside the information layout have these");
  return information;
}
