import { data } from "react-router";
import { readField } from "#platform/parse-form.ts";
import {
  type ImportPreview,
  importRaceDays,
  previewRaceDayImport,
} from "../import/import-race-days.server.ts";
import { decodeRaceDayFile } from "../import/read-race-day-rows.server.ts";

/** The result of the import form: a preview to accept, the problems of the file, or a success message. */
export type ImportFormResult = {
  ok: boolean;
  message?: string;
  problems?: string[];
  preview?: ImportPreview;
  /** The contents of the previewed file, which the form sends back to accept it, or of a refused one to correct. */
  contents?: string;
};

/** Handles the import form: previews a file, or imports the previewed file. */
export async function importRaceDaysForm(actorId: string, form: FormData) {
  const digest = readField(form, "digest");
  if (digest) return await acceptPreview(actorId, readField(form, "contents"), digest);
  const file = await readUpload(form);
  if (!file.ok) return respond({ ok: false, problems: file.problems }, 422);
  const result = await previewRaceDayImport(actorId, file.text);
  return result.ok
    ? respond({ ok: true, preview: result.preview, contents: file.text }, 200)
    : respond({ ok: false, problems: result.problems, contents: readField(form, "text") }, 422);
}

async function acceptPreview(actorId: string, contents: string, digest: string) {
  const result = await importRaceDays(actorId, contents, digest);
  if (result.ok) return respond({ ok: true, message: describeImport(result.preview) }, 200);
  if (result.refusal === "invalid-file")
    return respond({ ok: false, problems: result.problems, contents }, 422);
  return respond(
    {
      ok: false,
      message:
        "A race day of this file was saved after the preview. Nothing was imported. Check the new preview.",
      preview: result.preview,
      contents,
    },
    409,
  );
}

function describeImport({ meetings }: ImportPreview): string {
  const results = meetings.reduce((total, { resultCount }) => total + resultCount, 0);
  const days = meetings.filter(({ changes, resultCount }) => changes.length > resultCount).length;
  const parts = [
    ...(days > 0 || results === 0 ? [`${days} ${days === 1 ? "race day" : "race days"}`] : []),
    ...(results > 0 ? [`${results} ${results === 1 ? "result" : "results"}`] : []),
  ];
  const imported = `${parts.join(" and ")} imported.`;
  if (results === 0) return imported;
  return `${imported} Another admin must confirm ${results === 1 ? "it" : "them"}.`;
}

/** Returns the text of the chosen file, or the pasted text. */
async function readUpload(form: FormData) {
  const file = form.get("file");
  const pasted = readField(form, "text");
  if (file instanceof File && file.size > 0)
    return decodeRaceDayFile(new Uint8Array(await file.arrayBuffer()));
  return pasted.trim() === ""
    ? { ok: false as const, problems: ["Choose a file, or paste its contents."] }
    : { ok: true as const, text: pasted };
}

function respond(result: ImportFormResult, status: number) {
  return data<ImportFormResult>(result, { status });
}
