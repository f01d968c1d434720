import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";

export type MessageType = "success" | "error" | "warning" | "info";

type FormMessageProps = {
  type: MessageType;
  title?: ReactNode;
  children?: ReactNode;
  className?: string;
};

const styles = {
  success: { icon: CircleCheck, className: "border-success-ink bg-success-wash text-success-ink" },
  error: { icon: CircleAlert, className: "border-danger-ink bg-danger-wash text-danger-ink" },
  warning: { icon: TriangleAlert, className: "border-warn-ink bg-warn-wash text-warn-ink" },
  info: { icon: Info, className: "border-info-ink bg-info-wash text-info-ink" },
};

/** The icon of a message type. */
export function MessageIcon({ type, className }: { type: MessageType; className?: string }) {
  const Icon = styles[type].icon;
  return <Icon className={className} aria-hidden="true" />;
}

/** The result of a form, announced by screen readers. */
export function FormMessage({ type, title, children, className }: FormMessageProps) {
  return (
    <div
      role={type === "error" || type === "warning" ? "alert" : "status"}
      className={classNames(
        "flex gap-2.5 rounded-md border-l-4 px-3 py-2.5 text-sm",
        styles[type].className,
        className,
      )}
    >
      <MessageIcon type={type} className="mt-px size-5 shrink-0" />
      <div className="min-w-0">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children ? <div className="text-pretty">{children}</div> : null}
      </div>
    </div>
  );
}
