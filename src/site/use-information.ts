import { useRouteLoaderData } from "react-router";
import type { loader } from "./information.layout.tsx";

export type Information = Awaited<ReturnType<typeof loader>>;

/** The id that the router gives the layout round all information pages. */
export const INFORMATION_ROUTE = "site/information.layout";

/** Company, support address and public address, on any information page. */
export function useInformation(): Information {
  const information = useRouteLoaderData<typeof loader>(INFORMATION_ROUTE);
  if (!information) throw new Error("only pages inside the information layout have these");
  return information;
}
