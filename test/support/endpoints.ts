export type Endpoint = { path: string; method: "GET" | "POST"; kind: "page" | "data" };

/** Endpoints of the fake payment provider, which need no access control. */
const FAKE_PROVIDER = /^\/(v1|demo\/checkout|demo\/paystack)\//;
/** Endpoints whose responses never end. */
const STREAMS = ["/events/leaderboard"];

/** A list of distinct endpoints with their parameters filled in, without endless ones. */
export class EndpointList {
  readonly #parameters: Record<string, string>;
  readonly #found = new Map<string, Endpoint>();

  constructor(parameters: Record<string, string>) {
    this.#parameters = parameters;
  }

  addPage(route: string, takesForms: boolean): void {
    const path = route.replace("*", "nowhere/at-all");
    this.add(path, "GET", "page");
    if (takesForms) this.add(path, "POST", "page");
  }

  add(route: string, method: Endpoint["method"], kind: Endpoint["kind"]): void {
    const path = route.replace(
      /:(\w+)\??/g,
      (_whole, name: string) => this.#parameters[name] ?? "unknown",
    );
    if (!FAKE_PROVIDER.test(path) && !STREAMS.includes(path))
      this.#found.set(`${method} ${path}`, { path, method, kind });
  }

  all(): Endpoint[] {
    return [...this.#found.values()];
  }
}

/** Returns the URL of a page's data, which scripts use for navigation and forms. */
export function toDataUrl(path: string): string {
  const [page = "", query] = path.split("?");
  return `${page === "/" ? "/_root" : page}.data${query ? `?${query}` : ""}`;
}
