/** What came of another photo. */
export type PhotoAnswer = { ok: true; profileImage: string } | { ok: false; message: string };
