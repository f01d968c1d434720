import { afterEach, describe, expect, it, vi } from "vitest";
import { log, logConsole } from "#platform/log.server.ts";
import { sendAsGuest } from "#test/app.ts";

// Requests that no page or call of the API answers.

afterEach(() => vi.restoreAllMocks());

describe("a missing file under /assets", () => {
  it.each(["/assets/of-the-previous-release.js", "/assets/%00.js", "/assets/"])(
    "returns a plain 404 for %s, and logs no error",
    async (path) => {
      const logError = vi.spyOn(log, "error");
      for (const method of ["GET", "HEAD", "POST"]) {
        const response = await sendAsGuest(path, {
          method,
          headers: { "Accept-Encoding": "br, gzip" },
        });
        expect(response.status, method).toBe(404);
        expect(response.headers.get("Content-Type")).toBe("text/plain; charset=UTF-8");
        expect(response.headers.has("Content-Encoding")).toBe(false);
        // A machine of the next release may have the file already.
        expect(response.headers.get("Cache-Control")).toBe("no-store");
        expect(await response.text()).toBe(method === "HEAD" ? "" : "File not found");
      }
      expect(logError).not.toHaveBeenCalled();
    },
  );
});

describe("a path that cannot be decoded", () => {
  it.each(["/%", "/%ff", "/tipsters/%E0%A4%A"])(
    "returns 404 for %s and a JSON log line",
    async (path) => {
      const print = vi.spyOn(console, "warn").mockReturnValue();
      const warn = vi.spyOn(log, "warn");
      logConsole();
      const response = await sendAsGuest(path);
      expect(response.status).toBe(404);
      expect(print).not.toHaveBeenCalled();
      expect(warn).toHaveBeenCalledWith(expect.stringContaining("could not be decoded"));
    },
  );
});
