import { X } from "lucide-react";
import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { classNames } from "#ui/class-names.ts";
import { MessageIcon, type MessageType } from "#ui/forms/form-message.tsx";
import { subscribeToToasts, type ToastMessage } from "./toast-queue.ts";

const edges: Record<MessageType, string> = {
  success: "border-l-success-ink text-success-ink",
  error: "border-l-danger-ink text-danger-ink",
  warning: "border-l-warn-ink text-warn-ink",
  info: "border-l-info-ink text-info-ink",
};

function ToastBox({
  toast: { type, title, message },
  onClose,
}: {
  toast: ToastMessage;
  onClose: () => void;
}) {
  return (
    <div
      className={classNames(
        "flex font-sans w-[min(22rem,calc(100vw-2rem))] items-start gap-2.5 rounded-md border border-l-4 border-rule-strong bg-sheet py-2 pr-1 pl-3 shadow-lift",
        edges[type],
      )}
    >
      <MessageIcon type={type} className="mt-3 size-5 shrink-0" />
      <div className="min-w-0 flex-1 py-2.5 text-sm text-ink">
        <p className="font-semibold">{title}</p>
        {message ? <p className="text-ink-2">{message}</p> : null}
      </div>
      <button
        type="button"
        aria-label="Close"
        onClick={onClose}
        className="flex size-11 shrink-0 items-center justify-center rounded-md text-ink-3 hover:text-ink"
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </div>
  );
}

/** Renders the toasts. Toaster loads it with the first toast. */
export function ToastRegion() {
  useEffect(() => {
    let errorToastIds: (string | number)[] = [];
    const unsubscribe = subscribeToToasts((message) => {
      const id = toast.custom(
        (toastId) => <ToastBox toast={message} onClose={() => toast.dismiss(toastId)} />,
        { duration: 4000 },
      );
      if (message.type === "error") errorToastIds.push(id);
    });
    // Dismisses the errors of the previous attempt when a form is submitted again.
    const dismissErrors = () => {
      for (const id of errorToastIds) toast.dismiss(id);
      errorToastIds = [];
    };
    document.addEventListener("submit", dismissErrors, true);
    return () => {
      unsubscribe();
      document.removeEventListener("submit", dismissErrors, true);
    };
  }, []);
  return (
    <Toaster position="bottom-right" offset={16} mobileOffset={16} gap={8} visibleToasts={3} />
  );
}
