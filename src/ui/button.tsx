import type { ComponentProps, ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonClasses } from "./button-classes.ts";
import { Spinner } from "./spinner.tsx";

type ButtonProps = ComponentProps<"button"> & {
  /** `primary` once per view; `coin` for spending or buying coins. */
  variant?: ButtonVariant;
  /** `small` and `row` are 36 px high with a touch target of 44 px. */
  size?: ButtonSize;
  /** Uses the full width of the container. */
  wide?: boolean;
  /** Shows a spinner in place of the label, at the same size, and ignores further clicks. */
  pending?: boolean;
  /** The accessible label while pending; 'Working' by default. */
  pendingLabel?: string;
  icon?: ReactNode;
};

/** A button. `type` defaults to "button", so that it never submits a form by accident. */
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
      className={buttonClasses(variant, size, wide, className)}
    >
      {icon ? <span className={pending ? "invisible contents" : "contents"}>{icon}</span> : null}
      <span className={pending ? "invisible" : undefined}>{children}</span>
      {pending ? (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner label={pendingLabel} />
        </span>
      ) : null}
    </button>
  );
}
