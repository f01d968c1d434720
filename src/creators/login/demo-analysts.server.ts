import { env } from "#platform/env.server.ts";

/** Returns the analyst logins shown in the demo; empty in other modes. */
export function listDemoAnalysts(): { email: string; accessCode: string }[] {
  if (env().mode !== "demo") return [];
  return [1, 2, 3].map((number) => ({
    email: `analyst${number}@furlong.test`,
    accessCode: "furlong-demo",
  }));
}
