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

/** What came of a photo where no scripts run. */
export default function Photo({ actionData: answer }: Route.ComponentProps) {
  return (
    <div className="grid max-w-xl gap-4">
      {answer?.ok ? (
        <FormMessage type="success">Profile photo updated successfully!</FormMessage>
      ) : null}
      {answer?.ok === false ? <FormMessage type="error">{answer.message}</FormMessage> : null}
      <TextLink to="/tipster-dashboard/profile" standalone>
        Back to your profile
      </TextLink>
    </div>
  );
}
