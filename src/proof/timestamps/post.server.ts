const TIMEOUT_MS = 5_000;
/** Four times the largest timestamp response seen, with its chain of certificates. */
const MAX_BYTES = 64 * 1024;

/**
 * Sends a POST request to an address that the operator configured. Throws after 5 seconds, for a redirect, and for
 * more than 64 KiB, whatever length the answer states.
 */
export async function post(
  url: string,
  { contentType, body }: { contentType: string; body: Buffer },
): Promise<{ status: number; body: Buffer }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": contentType, Accept: "*/*" },
      body: new Uint8Array(body),
      redirect: "error",
      signal,
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
    return { status: response.status, body: Buffer.concat(chunks) };
  } catch (error) {
    if (signal.aborted) throw new Error(`no answer in ${TIMEOUT_MS / 1000} seconds`);
    throw new Error(toReason(error));
  }
}

/** fetch reports a connection that failed as "fetch failed", with the reason as cause. */
function toReason(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
