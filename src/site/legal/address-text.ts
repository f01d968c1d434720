/** An address as it is read aloud: without the protocol and without a slash at the end. */
export function addressText(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
