declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** Returns the offered encodings that the client accepts, the most preferred first. */
    encodings(
      offered: readonly string[],
      options: {
        /** The order of encodings that the client accepts equally. */
        preferred: readonly string[];
      },
    ): string[];
  }
}
