import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { IconButton } from "./icon-button.tsx";
import { useFocusReturn } from "./use-focus-return.ts";

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** A line below the title, announced when the dialog opens. */
  description?: ReactNode;
  /** A link beside the title. */
  aside?: ReactNode;
  /** On phones: a sheet at the bottom, as high as its content, instead of the full screen. */
  isSheet?: boolean;
  /** The dialog's actions, always visible below a divider. */
  footer?: ReactNode;
  size?: "small" | "medium" | "large";
  children?: ReactNode;
};

const sizes = { small: "sm:max-w-md", medium: "sm:max-w-xl", large: "sm:max-w-3xl" };

/**
 * A modal dialog. Traps the focus, restores it on closing, and closes on Escape within 200 ms.
 * Fills the screen on phones.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  aside,
  isSheet = false,
  footer,
  size = "medium",
  children,
}: DialogProps) {
  const focusReturn = useFocusReturn();
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="shade fixed inset-0 z-40 bg-(--shade)" />
        <RadixDialog.Content
          {...focusReturn}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={classNames(
            "sheet-dialog fixed inset-x-0 bottom-0 z-50 flex flex-col bg-paper shadow-lift focus-visible:outline-none sm:inset-x-4 sm:top-[max(1rem,6*var(--dvh))] sm:bottom-auto sm:mx-auto sm:max-h-[min(88*var(--dvh),56rem)] sm:rounded-lg",
            isSheet ? "max-h-[calc(100*var(--dvh)-1rem)] rounded-t-lg" : "max-sm:top-0",
            sizes[size],
          )}
        >
          <div className="border-b border-ink px-4 pt-3 pb-2 sm:px-6">
            <div className="flex items-start justify-between gap-4">
              <RadixDialog.Title className="min-w-0 flex-1 pt-1.5 font-cond text-xl font-bold">
                {title}
              </RadixDialog.Title>
              {aside ? <div className="shrink-0 text-sm">{aside}</div> : null}
              <RadixDialog.Close asChild>
                <IconButton label="Close" icon={<X aria-hidden="true" />} className="-mr-2" />
              </RadixDialog.Close>
            </div>
            {description ? (
              <RadixDialog.Description className="text-sm text-ink-2">
                {description}
              </RadixDialog.Description>
            ) : null}
          </div>
          <div className="@container min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-4 sm:px-6">
            {children}
          </div>
          {footer ? (
            <div className="flex flex-wrap justify-end gap-2 border-t border-rule bg-sheet px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:rounded-b-lg sm:px-6">
              {footer}
            </div>
          ) : null}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
