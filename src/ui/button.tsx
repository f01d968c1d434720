import type { ComponentProps, ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonLook } from "./button-look.ts";
import { Spinner } from "./spinner.tsx";

type ButtonProps = ComponentProps<"button"> & {
  /** `primary` once per view, `coin` for what spends or buys coins. */
  variant?: ButtonVariant;
  /** `small` is 36 px to the eye and 44 px to the finger. */
  size?: ButtonSize;
  /** As wide as its container. */
  wide?: boolean;
  /** The act is under way: a ring in place of the label, same size, further presses do nothing. */
  pending?: boolean;
  /** What is said while pending; 'Working' if not given. */
  pendingLabel?: string;
  icon?: ReactNode;
};

/** A button. `type` is "button" unless said otherwise, so it never sends a form by accident. */
export function Button({
  variant,
  size,
  wide,
  pending = false,
  pendingLabel = "Working",
  icon,
  type = "button",
  className,
  children,
  onClick,
  "aria-disabled": ariaDisabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={pending || ariaDisabled}
      aria-busy={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
      className={buttonLook(variant, size, wide, className)}
    >
      <span className={pending ? "invisible contents" : "contents"}>
        {icon}
        <span className={pending ? "opacity-0" : undefined}>{children}</span>
      </span>
      {pending ? (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner label={pendingLabel} />
        </span>
      ) : null}
    </button>
  );
}
