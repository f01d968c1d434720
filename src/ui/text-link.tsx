import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

type TextLinkProps = LinkProps & {
  /** Enlarges the touch target to 44 px, for links outside running text. */
  standalone?: boolean;
  className?: string;
};

/** An underlined text link. */
export function TextLink({ standalone = false, className, ...rest }: TextLinkProps) {
  return (
    <Link
      discover="none"
      {...rest}
      className={classNames("link rounded-sm", standalone && "tap", className)}
    />
  );
}
