import { afterEach, describe, expect, it, vi } from "vitest";
import {
  clearBrowserData,
  findServiceWorkers,
  openChannel,
  postToServiceWorker,
  readStored,
  writeStored,
} from "./browser-features.ts";

afterEach(() => vi.unstubAllGlobals());

function throwSecurityError(): never {
  throw new DOMException("The operation is insecure.", "SecurityError");
}

/** Replaces the features of the browser by ones that throw, as with blocked cookies. */
function blockFeatures(): void {
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        throwSecurityError();
      }
    },
  );
  const blocked = new Proxy({}, { get: throwSecurityError, set: throwSecurityError });
  for (const name of ["localStorage", "sessionStorage", "navigator", "document"])
    vi.stubGlobal(name, blocked);
}

/** Removes the features, as in some embedded browsers. */
function removeFeatures(): void {
  for (const name of ["BroadcastChannel", "localStorage", "sessionStorage", "document"])
    vi.stubGlobal(name, null);
  vi.stubGlobal("navigator", {});
}

describe.each([
  ["throw", blockFeatures],
  ["are missing", removeFeatures],
])("optional features of the browser that %s", (_what, prepare) => {
  it("do not fail the page", () => {
    prepare();
    expect(openChannel("furlong")).toBeNull();
    for (const kind of ["local", "session"] as const) {
      expect(readStored(kind, "key")).toBeNull();
      writeStored(kind, "key", "text");
      writeStored(kind, "key", null);
    }
    expect(findServiceWorkers()).toBeNull();
    postToServiceWorker({ forget: true });
    clearBrowserData();
  });
});

it("deletes both storages, the cookies that scripts see, and the offline copies", () => {
  const deleted: string[] = [];
  const storage = (name: string) => ({ clear: () => deleted.push(name) });
  vi.stubGlobal("localStorage", storage("local"));
  vi.stubGlobal("sessionStorage", storage("session"));
  vi.stubGlobal("document", {
    get cookie() {
      return "theme=dark; flag";
    },
    set cookie(text: string) {
      deleted.push(text);
    },
  });
  const controller = { postMessage: (message: object) => deleted.push(JSON.stringify(message)) };
  vi.stubGlobal("navigator", { serviceWorker: { controller } });
  clearBrowserData();
  expect(deleted).toEqual([
    "local",
    "session",
    "theme=; Path=/; Max-Age=0",
    "flag=; Path=/; Max-Age=0",
    '{"forget":true}',
  ]);
});
