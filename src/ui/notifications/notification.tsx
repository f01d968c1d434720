import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { deferred } from "#ui/deferred.tsx";
import type { MessageType } from "#ui/forms/form-message.tsx";
import type { NotificationDialogProps } from "./notification-dialog.tsx";

const NotificationDialog = deferred<NotificationDialogProps>(
  () => import("./notification-dialog.tsx").then((module) => module.NotificationDialog),
  { Fault: BrowserDialog },
);

type Message = { type: MessageType; title: string; message?: string; okText?: string };

type Question = {
  title: string;
  /** May hold a field; its value is the asker's to keep. */
  message?: ReactNode;
  /** The message without its fields, for the browser's own dialog. */
  words?: string;
  confirmText?: string;
  cancelText?: string;
  destructive?: boolean;
};

type Notification = {
  /** Shows a message with an OK button; settles when it is closed. */
  notify: (message: Message) => Promise<void>;
  /** Asks a question; true only when Confirm was pressed. */
  confirm: (question: Question) => Promise<boolean>;
};

type Pending = Omit<Message, "type" | "message"> &
  Question & {
    type: MessageType | "confirm";
    settle: (confirmed: boolean) => void;
  };

const NotificationContext = createContext<Notification | null>(null);

/** Holds the one notification dialog of the page; its code is loaded with the first message. */
export function NotificationProvider({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<Pending | null>(null);
  const [open, setOpen] = useState(false);

  const ask = useCallback(
    (message: Omit<Pending, "settle">) =>
      new Promise<boolean>((settle) => {
        setPending((previous) => {
          previous?.settle(false);
          return { ...message, settle };
        });
        setOpen(true);
      }),
    [],
  );

  const notification = useMemo<Notification>(
    () => ({
      notify: async (message) => {
        await ask(message);
      },
      confirm: (question) => ask({ ...question, type: "confirm" }),
    }),
    [ask],
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
          words={pending.words}
          okText={pending.okText}
          cancelText={pending.cancelText}
          confirmText={pending.confirmText}
          destructive={pending.destructive}
          onConfirm={() => pending.settle(true)}
          onClose={() => {
            pending.settle(false);
            setOpen(false);
          }}
        />
      ) : null}
    </NotificationContext>
  );
}

/** Asks by the browser's own means where our dialog's code could not be fetched. */
function BrowserDialog({
  open,
  type,
  title,
  message,
  words: plainMessage = typeof message === "string" ? message : "",
  onConfirm,
  onClose,
}: NotificationDialogProps) {
  useEffect(() => {
    if (!open) return;
    const words = `${title}${plainMessage ? `\n\n${plainMessage}` : ""}`;
    if (type !== "confirm") window.alert(words);
    else if (window.confirm(words)) onConfirm?.();
    onClose();
  }, [open, type, title, plainMessage, onConfirm, onClose]);
  return null;
}

/** Messages and questions in a dialog, from anywhere below the provider. */
export function useNotification(): Notification {
  const notification = useContext(NotificationContext);
  if (!notification) {
    throw new Error("useNotification must be used within a NotificationProvider");
  }
  return notification;
}
