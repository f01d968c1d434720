import { Camera } from "lucide-react";
import { type ChangeEvent, useEffect, useId, useState } from "react";
import { useFetcher } from "react-router";
import { Avatar } from "#ui/avatar.tsx";
import { Button } from "#ui/button.tsx";
import { FieldError } from "#ui/forms/field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import type { PhotoFormResult } from "./photo-results.ts";
import { shrinkPhoto } from "./shrink-photo.ts";

type ProfilePhotoProps = {
  name: string;
  photo: string | null;
  /** The path that accepts the file field `photo`; `/remove` below it removes the photo. */
  action: string;
};

/** The formats the server accepts. With JavaScript, the browser converts others. */
const ACCEPTED_FORMATS = "image/jpeg,image/png,image/webp";

/** Shows a creator's photo (or silks) and uploads a new one as soon as it is chosen. */
export function ProfilePhoto({ name, photo, action }: ProfilePhotoProps) {
  const sending = useFetcher<PhotoFormResult>();
  const [preview, setPreview] = useState<string | null>(null);
  const hydrated = useHydrated();
  const id = useId();
  const isPending = sending.state !== "idle";
  const result = isPending ? undefined : sending.data;

  useResponse(sending.data, (response) => {
    if (!response.ok) return;
    const title = response.photo ? "Profile photo updated successfully!" : "Profile photo removed";
    showToast({ type: "success", title });
  });
  useEffect(() => () => (preview ? URL.revokeObjectURL(preview) : undefined), [preview]);

  const send = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.target;
    const file = input.files?.[0];
    if (!file) return;
    const body = new FormData();
    const small = await shrinkPhoto(file);
    body.set("photo", small, "photo");
    input.value = "";
    setPreview(URL.createObjectURL(small));
    void sending.submit(body, { method: "post", action, encType: "multipart/form-data" });
  };

  return (
    <div>
      <sending.Form method="post" action={action} encType="multipart/form-data">
        <label
          htmlFor={id}
          className="relative block size-28 rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-green-ink"
        >
          <Avatar name={name} photo={(isPending ? preview : null) ?? photo} size="huge" />
          {hydrated ? (
            <>
              <span className="absolute inset-x-0 bottom-0 flex items-center justify-center gap-1.5 rounded-b-md bg-ink/85 py-1 text-xs font-semibold text-paper">
                <Camera className="size-3.5" aria-hidden="true" />
                {photo ? "Change photo" : "Add a photo"}
              </span>
              <input
                id={id}
                type="file"
                name="photo"
                accept="image/*"
                disabled={isPending}
                aria-describedby={result?.ok === false ? `${id}-error` : undefined}
                onChange={send}
                className="sr-only"
              />
            </>
          ) : (
            <span className="sr-only">{photo ? "Change photo" : "Add a photo"}</span>
          )}
          {isPending ? (
            <span className="absolute inset-0 flex items-center justify-center rounded-md bg-paper/75">
              <Spinner label="Uploading the photo" className="text-2xl" />
            </span>
          ) : null}
        </label>
        {hydrated ? null : (
          <noscript>
            <input
              id={id}
              type="file"
              name="photo"
              accept={ACCEPTED_FORMATS}
              className="mt-2 w-28 text-xs"
            />
            <Button type="submit" variant="secondary" size="small" wide className="mt-2">
              Upload
            </Button>
          </noscript>
        )}
        {result?.ok === false ? (
          <div className="mt-1.5 max-w-56">
            <FieldError id={`${id}-error`}>{result.message}</FieldError>
          </div>
        ) : null}
      </sending.Form>
      {photo && !isPending ? (
        <sending.Form method="post" action={`${action}/remove`} className="w-28 text-center">
          <button type="submit" className="link tap rounded-sm text-xs">
            Remove photo
          </button>
        </sending.Form>
      ) : null}
    </div>
  );
}
