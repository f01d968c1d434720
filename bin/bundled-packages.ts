/** Packages that the builds for the server bundle, because a process starts faster without loading them whole. */
export const BUNDLED_PACKAGES = [
  /^@react-email\//,
  "lucide-react",
  /^@?better-auth(\/|$)/,
  /^better-call(\/|$)/,
  /^@better-fetch\//,
  /^drizzle-orm(\/|$)/,
  /^stripe(\/|$)/,
  /^zod(\/|$)/,
  /^jose(\/|$)/,
  /^@opentelemetry\//,
  /^@noble\//,
];
