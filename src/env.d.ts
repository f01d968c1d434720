declare module "virtual:react-router/server-build" {
  import type { ServerBuild } from "react-router";
  export const routes: ServerBuild["routes"];
  const build: ServerBuild;
  export = build;
}

declare module "*.mdx" {
  import type { ElementType, ReactElement, ReactNode } from "react";

  const text: (props: {
    components: Record<string, ElementType>;
  }) => ReactElement<{ children: ReactNode }>;
  export default text;
}
