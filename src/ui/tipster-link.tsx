import type { ComponentProps } from "react";
import { DialogLink } from "./dialog-link.tsx";

/** A link to a creator's page, which opens as a dialog over the current page except on phones. */
export function TipsterLink({
  slug,
  ...rest
}: { slug: string } & Pick<ComponentProps<"a">, "className" | "children">) {
  return (
    <DialogLink
      {...rest}
      to={`/tipsters/${slug}`}
      dialogParameter={`tipster=${slug}`}
      isPageOnPhones
    />
  );
}
