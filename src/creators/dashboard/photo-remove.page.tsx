import { data } from "react-router";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { removeCreatorPhoto } from "../profile/creator-photo.server.ts";
import type { PhotoFormResult } from "../profile/photo-results.ts";
import { requireCreator } from "../require-creator.server.ts";
import type { Route } from "./+types/photo-remove.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Profile photo", description: "Remove your photo.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  await requireCreator(context);
  return null;
}

export async function action({ context }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  const result = await removeCreatorPhoto(creator.id);
  return result.ok
    ? data<PhotoFormResult>({ ok: true, photo: null })
    : data<PhotoFormResult>(
        { ok: false, message: "You don't have a photo to remove.", values: {} },
        { status: 403 },
      );
}

/** Result of removing the photo, for browsers without JavaScript. */
export default function PhotoRemove({ actionData: result }: Route.ComponentProps) {
  return (
    <div className="grid max-w-xl gap-4">
      {result?.ok ? <FormMessage type="success">Profile photo removed</FormMessage> : null}
      {result?.ok === false ? <FormMessage type="error">{result.message}</FormMessage> : null}
      <TextLink to="/tipster-dashboard/profile" standalone>
        Back to your profile
      </TextLink>
    </div>
  );
}
