import type { ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { type ButtonSize, type ButtonVariant, buttonClasses } from "./button-classes.ts";

type ButtonLinkProps = LinkProps & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  wide?: boolean;
  icon?: ReactNode;
  className?: string;
};

/** A link styled as a button. For navigation only, never for actions. */
export function ButtonLink({
  variant,
  size,
  wide,
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link discover="none" {...rest} className={buttonClasses(variant, size, wide, className)}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
