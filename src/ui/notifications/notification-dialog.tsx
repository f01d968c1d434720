import { CircleHelp } from "lucide-react";
import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { MessageIcon, type MessageType } from "#ui/forms/form-message.tsx";
import { useFocusReturn } from "../use-focus-return.ts";

export type NotificationDialogProps = {
  open: boolean;
  /** Called when it closes; it is removed from the page 200 ms later. */
  onClose: () => void;
  type: MessageType | "confirm";
  title: ReactNode;
  message?: ReactNode;
  /** The message as plain text, for the browser's own dialog. */
  plainMessage?: string;
  okText?: string;
  cancelText?: string;
  confirmText?: string;
  /** Called before closing; only for `confirm`. */
  onConfirm?: () => void;
  /** Shows a red button, for actions that cannot be undone. */
  destructive?: boolean;
};

const colours = {
  success: "text-success-ink",
  error: "text-danger-ink",
  warning: "text-warn-ink",
  info: "text-info-ink",
  confirm: "text-ink",
};

/** A modal message with an OK button, or Cancel and Confirm for `confirm`. */
export function NotificationDialog({
  open,
  onClose,
  type,
  title,
  message,
  okText = "OK",
  cancelText = "Cancel",
  confirmText = "Confirm",
  onConfirm,
  destructive = false,
}: NotificationDialogProps) {
  const focusReturn = useFocusReturn();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="shade fixed inset-0 z-40 bg-(--shade)" />
        <AlertDialog.Content
          {...focusReturn}
          {...(message ? {} : { "aria-describedby": undefined })}
          className="sheet-dialog fixed inset-x-4 bottom-4 z-50 mx-auto max-h-[calc(100*var(--dvh)-2rem)] max-w-md overflow-y-auto rounded-lg bg-paper shadow-lift focus-visible:outline-none sm:top-[calc(20*var(--dvh))] sm:bottom-auto sm:max-h-[calc(78*var(--dvh))]"
        >
          <div className="flex gap-3 px-5 pt-5 pb-4">
            <span className={classNames("pt-0.5 [&_svg]:size-6", colours[type])}>
              {type === "confirm" ? <CircleHelp aria-hidden="true" /> : <MessageIcon type={type} />}
            </span>
            <div className="min-w-0">
              <AlertDialog.Title className="font-cond text-xl font-bold">{title}</AlertDialog.Title>
              {message ? (
                <AlertDialog.Description asChild>
                  <div className="mt-1 text-sm text-pretty text-ink-2">{message}</div>
                </AlertDialog.Description>
              ) : null}
            </div>
          </div>
          <div className="sticky bottom-0 flex flex-wrap justify-end gap-2 border-t border-rule bg-sheet px-5 py-3">
            {type === "confirm" ? (
              <>
                <AlertDialog.Cancel asChild>
                  <Button variant="secondary">{cancelText}</Button>
                </AlertDialog.Cancel>
                <AlertDialog.Action asChild>
                  <Button variant={destructive ? "danger" : "primary"} onClick={onConfirm}>
                    {confirmText}
                  </Button>
                </AlertDialog.Action>
              </>
            ) : (
              <AlertDialog.Action asChild>
                <Button>{okText}</Button>
              </AlertDialog.Action>
            )}
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
