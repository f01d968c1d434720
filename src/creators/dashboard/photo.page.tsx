import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { handlePhoto } from "../profile/handle-photo.server.ts";
import { requireCreator } from "../require-creator.server.ts";
import type { Route } from "./+types/photo.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Profile photo", description: "Change your photo.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  await requireCreator(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  return await handlePhoto(creator.id, await request.formData());
}

/** Result of a photo upload, for browsers without JavaScript. */
export default function Photo({ actionData: result }: Route.ComponentProps) {
  return (
    <div className="grid max-w-xl gap-4">
      {result?.ok ? (
        <FormMessage type="success">Profile photo updated successfully!</FormMessage>
      ) : null}
      {result?.ok === false ? <FormMessage type="error">{result.message}</FormMessage> : null}
      <TextLink to="/tipster-dashboard/profile" standalone>
        Back to your profile
      </TextLink>
    </div>
  );
}
