import type { IncomingHttpHeaders } from "node:http";
import { Hono } from "hono";
import { getMe } from "#accounts/me.route.ts";
import { sendWelcomeEmail } from "#accounts/registration/send-welcome-email.route.ts";
import { postSignIn } from "#accounts/sign-in/sign-in.route.ts";
import { postSignOut } from "#accounts/sign-in/sign-out.route.ts";
import { sendTipsterApplication } from "#creators/applications/send-tipster-application.route.ts";
import { updateTipsterProfile } from "#creators/profile/update-tipster-profile.route.ts";
import { updateTipsterProfileImage } from "#creators/profile/update-tipster-profile-image.route.ts";
import { createCheckoutSession } from "#payments/create-checkout-session.route.ts";
import { fakeProviders } from "#payments/fake-provider/fake-providers.route.ts";
import { sendPurchaseReceipt } from "#payments/send-purchase-receipt.route.ts";
import { receiveWebhook } from "#payments/webhook.route.ts";
import { earningsStatement } from "#payouts/earnings-statement.route.ts";
import { describeClockProblem } from "#platform/clock-skew.server.ts";
import { isDatabaseOverloaded, isDatabaseReady, pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import type { CachedJson } from "#platform/http/cached-json.server.ts";
import type { CachedResponse } from "#platform/http/cached-responses.server.ts";
import { type HttpEnv, jsonError } from "#platform/http/http.server.ts";
import { requireJsonBody } from "#platform/http/json-bodies.server.ts";
import { getCachedLiveness, getLiveness } from "#platform/http/liveness.server.ts";
import { serveMetrics } from "#platform/metrics.server.ts";
import { isMigrated } from "#platform/postgres/migrate.server.ts";
import { isShuttingDown } from "#platform/shutdown.server.ts";
import { serveUpload } from "#platform/upload.route.ts";
import { serveCheckpointFile } from "#proof/files/checkpoint-files.route.ts";
import { serveDayFile } from "#proof/files/day-files.route.ts";
import {
  serveCheckpoint,
  serveProofFile,
  serveTile,
  serveVerifier,
  serveVerifierKeys,
} from "#proof/files/log-files.route.ts";
import { serveResultFile } from "#racing/results/result-files.route.ts";
import { venuesJson } from "#racing/venues.route.ts";
import { serveRecordFile } from "#records/downloads/record-files.route.ts";
import { serveRaceCardProof } from "#sales/race-card-proof.route.ts";
import { raceCardsForGuests, serveRaceCards } from "#sales/race-cards.route.ts";
import { unlock } from "#sales/unlock.route.ts";
import { demoMail } from "#site/demo/demo-mail.route.ts";
import { openApi } from "#site/openapi/openapi.route.ts";
import { robots } from "#site/seo/robots.route.ts";
import { shareTipster, shareTrack } from "#site/seo/share-images.route.ts";
import { sitemap } from "#site/seo/sitemap.route.ts";
import { webManifest } from "#site/seo/web-manifest.route.ts";
import { streamStandingsEvents } from "#standings/events.route.ts";
import { standingsJson } from "#standings/standings.route.ts";
import { sendTipNotification } from "#tips/publishing/send-tip-notification.route.ts";

/** Responses of routes that are the same for everyone. */
const CACHED_FOR_ALL = new Map<string, CachedJson<unknown>>([
  ["/api/leaderboard", standingsJson],
  ["/api/venues", venuesJson],
]);

/** Returns the cached response of a route for this target, or null. */
export function getCachedData(
  target: string,
  headers: IncomingHttpHeaders,
  isGuest: boolean,
): CachedResponse | null {
  if (target === "/health/live") return getCachedLiveness(headers);
  if (target === "/api/race-cards") return isGuest ? raceCardsForGuests.getCached() : null;
  return CACHED_FOR_ALL.get(target)?.getCached() ?? null;
}

/** Returns the routes that respond with data instead of a page. */
export function api(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  // Registered before the body checks, so that signing out succeeds with any body.
  app.post("/api/sign-out", postSignOut);
  app.use("/api/*", requireJsonBody);
  app.use("/.netlify/*", requireJsonBody);
  app.get("/health/live", getLiveness);
  app.get("/health/ready", async (c) => {
    if (isShuttingDown()) return c.json({ error: "This server process is shutting down." }, 503);
    const isReady =
      (await isDatabaseReady()) &&
      (await isMigrated((text) => pool().query(text)).catch(refuseIfOverloaded));
    if (!isReady)
      return c.json(
        {
          error:
            "The database is unreachable or read-only, or its migrations have not been applied.",
        },
        503,
      );
    const problem = describeClockProblem();
    return problem ? c.json({ error: problem }, 503) : c.json({ status: "ready" });
  });
  app.get("/metrics", serveMetrics);
  app.get("/robots.txt", robots);
  app.get("/sitemap.xml", sitemap);
  app.get("/manifest.webmanifest", webManifest);
  app.get("/share/tipsters/:file{.+\\.png}", shareTipster);
  app.get("/share/tracks/:file{.+\\.png}", shareTrack);
  app.get("/api/race-cards", serveRaceCards);
  app.post("/api/race-cards/:id/unlock", unlock);
  app.get("/race-cards/:id/proof.json", serveRaceCardProof);
  app.get("/api/leaderboard", () => standingsJson.respond());
  app.get("/api/venues", () => venuesJson.respond());
  app.get("/api/openapi.json", openApi);
  app.get("/tipster-dashboard/earnings.csv", earningsStatement);
  app.get("/uploads/:id/:file", serveUpload);
  app.get("/proof/log/checkpoint", serveCheckpoint);
  app.get("/proof/log/tile/:path{.+}", serveTile);
  app.get("/proof/keys", serveVerifierKeys);
  app.get("/proof/checkpoints/:size/:file", serveCheckpointFile);
  app.get("/proof/days/:date/:file", serveDayFile);
  app.get("/proof/files/:hash", serveProofFile);
  app.get("/proof/verify.js", serveVerifier);
  app.get("/records/:file", serveRecordFile);
  app.get("/results/:date/:file", serveResultFile);
  app.get("/proof/closed/:log/log/checkpoint", serveCheckpoint);
  app.get("/proof/closed/:log/log/tile/:path{.+}", serveTile);
  app.get("/proof/closed/:log/keys", serveVerifierKeys);
  app.get("/proof/closed/:log/days/:date/:file", serveDayFile);
  app.get("/proof/closed/:log/files/:hash", serveProofFile);
  app.post("/.netlify/functions/send-tipster-application", sendTipsterApplication);
  app.post("/.netlify/functions/send-tip-notification", sendTipNotification);
  app.post("/.netlify/functions/update-tipster-profile", updateTipsterProfile);
  app.post("/.netlify/functions/update-tipster-profile-image", updateTipsterProfileImage);
  app.get("/events/leaderboard", streamStandingsEvents);
  app.post("/webhooks/:provider", receiveWebhook);
  app.post("/.netlify/functions/create-checkout-session", createCheckoutSession);
  app.post("/.netlify/functions/send-purchase-receipt", sendPurchaseReceipt);
  app.post("/.netlify/functions/send-welcome-email-sendgrid", sendWelcomeEmail);
  app.post("/api/sign-in", postSignIn);
  app.get("/api/me", getMe);
  if (env().mode === "demo") app.get("/demo/mail.json", demoMail);
  app.route("/", fakeProviders());
  rejectUnknownRoutes(app);
  return app;
}

/** Returns false, or throws the error if every database connection is in use. */
function refuseIfOverloaded(error: unknown): false {
  if (isDatabaseOverloaded(error)) throw error;
  return false;
}

/** Responds with a JSON error to unknown paths (404) and methods (405) of the JSON API. */
function rejectUnknownRoutes(app: Hono<HttpEnv>): void {
  const methods = new Map<string, string[]>();
  for (const { method, path } of app.routes)
    if (/^\/(api|\.netlify)\//.test(path) && method !== "ALL")
      methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const [path, allowedMethods] of methods)
    app.all(path, (c) => {
      c.header(
        "Allow",
        allowedMethods
          .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
          .join(", "),
      );
      return jsonError(
        c,
        405,
        `Method not allowed. This address accepts ${allowedMethods.join(" or ")}.`,
      );
    });
  for (const path of ["/api", "/api/*", "/.netlify", "/.netlify/*"])
    app.all(path, (c) =>
      jsonError(c, 404, "Address not found. All addresses are listed in /api/openapi.json."),
    );
}
