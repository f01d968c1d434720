import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { createDeferredComponent } from "#ui/deferred.tsx";
import type { MessageType } from "#ui/forms/form-message.tsx";
import type { NotificationDialogProps } from "./notification-dialog.tsx";

const NotificationDialog = createDeferredComponent<NotificationDialogProps>(
  () => import("./notification-dialog.tsx").then((module) => module.NotificationDialog),
  { LoadError: BrowserDialog },
);

type Message = { type: MessageType; title: string; message?: string; okText?: string };

type Confirmation = {
  title: string;
  /** Can contain a field, whose value the caller stores. */
  message?: ReactNode;
  /** The message without fields, for the browser's own dialog. */
  plainMessage?: string;
  confirmText?: string;
  cancelText?: string;
  destructive?: boolean;
};

type Notification = {
  /** Shows a message with an OK button; resolves when it is closed. */
  notify: (message: Message) => Promise<void>;
  /** Shows a question; resolves to true only when Confirm was pressed. */
  confirm: (question: Confirmation) => Promise<boolean>;
};

type PendingNotification = Omit<Message, "type" | "message"> &
  Confirmation & {
    type: MessageType | "confirm";
    resolve: (confirmed: boolean) => void;
  };

const NotificationContext = createContext<Notification | null>(null);

/** Provides the notification dialog of the page; its code is loaded with the first message. */
export function NotificationProvider({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<PendingNotification | null>(null);
  const [open, setOpen] = useState(false);

  const showNotification = useCallback(
    (message: Omit<PendingNotification, "resolve">) =>
      new Promise<boolean>((resolve) => {
        setPending((previous) => {
          previous?.resolve(false);
          return { ...message, resolve };
        });
        setOpen(true);
      }),
    [],
  );

  const notification = useMemo<Notification>(
    () => ({
      notify: async (message) => {
        await showNotification(message);
      },
      confirm: (question) => showNotification({ ...question, type: "confirm" }),
    }),
    [showNotification],
  );

  return (
    <NotificationContext value={notification}>
      {children}
      {pending ? (
        <NotificationDialog
          open={open}
          type={pending.type}
          title={pending.title}
          message={pending.message}
          plainMessage={pending.plainMessage}
          okText={pending.okText}
          cancelText={pending.cancelText}
          confirmText={pending.confirmText}
          destructive={pending.destructive}
          onConfirm={() => pending.resolve(true)}
          onClose={() => {
            pending.resolve(false);
            setOpen(false);
          }}
        />
      ) : null}
    </NotificationContext>
  );
}

/** Uses the browser's own dialogs when the code of the notification dialog could not be loaded. */
function BrowserDialog({
  open,
  type,
  title,
  message,
  plainMessage = typeof message === "string" ? message : "",
  onConfirm,
  onClose,
}: NotificationDialogProps) {
  useEffect(() => {
    if (!open) return;
    const text = `${title}${plainMessage ? `\n\n${plainMessage}` : ""}`;
    if (type !== "confirm") window.alert(text);
    else if (window.confirm(text)) onConfirm?.();
    onClose();
  }, [open, type, title, plainMessage, onConfirm, onClose]);
  return null;
}

/** Returns functions that show messages and questions in a dialog. Needs a NotificationProvider. */
export function useNotification(): Notification {
  const notification = useContext(NotificationContext);
  if (!notification) {
    throw new Error("useNotification must be used within a NotificationProvider");
  }
  return notification;
}
