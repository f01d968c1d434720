import { X509Certificate } from "node:crypto";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { makeCertificate } from "#test/self-signed-certificate.ts";
import { startTlsProxy } from "#test/tls-proxy.ts";

it("serves a valid certificate and forwards the body and headers", async () => {
  const upstream = createServer(async (incoming, outgoing) => {
    const { host, "x-forwarded-proto": protocol } = incoming.headers;
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ host, protocol, body: await text(incoming) }));
  });
  await new Promise<void>((done) => upstream.listen(0, "127.0.0.1", done));
  const certificate = makeCertificate();
  const { port } = upstream.address() as AddressInfo;
  const proxy = await startTlsProxy({ certificate, upstream: port });
  const response = await new Promise<string>((resolve, reject) => {
    const sent = request(`${proxy.url}/x`, { method: "POST", ca: certificate.cert }, (response) =>
      resolve(text(response)),
    );
    sent.on("error", reject);
    sent.end("a body");
  });
  expect(JSON.parse(response)).toEqual({
    host: new URL(proxy.url).host,
    protocol: "https",
    body: "a body",
  });
  const { subjectAltName, validTo } = new X509Certificate(certificate.cert);
  expect(subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1");
  expect(Date.parse(validTo)).toBeGreaterThan(Date.now());
  await proxy.stop();
  upstream.closeAllConnections();
  upstream.close();
});
