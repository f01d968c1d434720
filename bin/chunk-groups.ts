/** Modules that the client build bundles into one script, by file or by package. */
type ChunkGroup = { name: string; priority: number; files?: string[]; packages?: string[] };

/**
 * The groups with which a first visit loads three scripts instead of fifty: the libraries, which rarely
 * change between releases, the layout, and the home page. All other modules have their own chunks.
 */
export const CHUNK_GROUPS: ChunkGroup[] = [
  {
    name: "router",
    priority: 3,
    packages: ["react", "react-dom", "react-router", "scheduler", "cookie-es", "set-cookie-parser"],
  },
  { name: "site-layout", priority: 2, files: ["src/root.tsx", "src/site/layout/site.layout.tsx"] },
  { name: "home", priority: 1, files: ["src/site/home/home.page.tsx"] },
];

/** Returns the pattern of the module ids of a group: absolute paths, some with a query. */
export function toModulePattern({ files = [], packages = [] }: ChunkGroup): RegExp {
  const paths = [
    ...files.map((file) => `${file}$`),
    ...packages.map((name) => `node_modules/${name}/`),
  ];
  const alternatives = paths.map((path) =>
    path.replaceAll(".", "\\.").replaceAll("$", "(\\?|$)").replaceAll("/", "[\\\\/]"),
  );
  return new RegExp(`[\\\\/](${alternatives.join("|")})`);
}

/** Returns the files and packages of a group that do not exist. */
export function findMissingModules(
  { files = [], packages = [] }: ChunkGroup,
  exists: (path: string) => boolean,
): string[] {
  const paths = [...files, ...packages.map((name) => `node_modules/${name}/package.json`)];
  return paths.filter((path) => !exists(path));
}
