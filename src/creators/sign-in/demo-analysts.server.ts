import { env } from "#platform/env.server.ts";

/** The portal's sign-ins as the demo shows them; nothing where no demo runs. */
export function demoAnalysts(): { email: string; accessCode: string }[] {
  if (env().mode !== "demo") return [];
  return [1, 2, 3].map((number) => ({
    email: `analyst${number}@furlong.test`,
    accessCode: "furlong-demo",
  }));
}
