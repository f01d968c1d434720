import { classNames } from "./class-names.ts";
import { Silks } from "./racing/silks.tsx";

type AvatarProps = {
  name: string;
  /** URL of the photo; without one the name's silks are shown. */
  photo?: string | null;
  /** `row` is sized by the row of a list that contains it. */
  size?: "small" | "medium" | "large" | "huge" | "row";
  className?: string;
};

const sizes = { small: 32, medium: 44, large: 64, huge: 112, row: 40 };

/** A person's photo or silks. Decorative: the name is always shown next to it. */
export function Avatar({ name, photo, size = "medium", className }: AvatarProps) {
  const sizePx = sizes[size];
  // Without a wrapper, because a list has many.
  if (size === "row" && !photo) return <Silks name={name} className="row-silk" />;
  return (
    <span
      className={classNames(
        size === "row"
          ? "row-silk"
          : "inline-flex shrink-0 items-center justify-center overflow-hidden rounded-md border border-rule bg-well",
        className,
      )}
      style={size === "row" ? undefined : { width: sizePx, height: sizePx }}
    >
      {photo ? (
        <img
          src={photo}
          alt=""
          width={sizePx}
          height={sizePx}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      ) : (
        <Silks name={name} className="size-[88%]" />
      )}
    </span>
  );
}
