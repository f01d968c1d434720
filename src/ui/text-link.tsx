import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

type TextLinkProps = LinkProps & {
  /** Stands alone in a list or a row: then it is 44 px high to the finger. */
  alone?: boolean;
  className?: string;
};

/** A link in running text: green ink, underlined. */
export function TextLink({ alone = false, className, ...rest }: TextLinkProps) {
  return <Link {...rest} className={classNames("link rounded-sm", alone && "tap", className)} />;
}
