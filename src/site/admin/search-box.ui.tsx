import { Search } from "lucide-react";
import { useEffect } from "react";
import { Form } from "react-router";
import { TextField } from "#ui/forms/text-field.tsx";
import { ADMIN_SEARCH_PATH } from "./admin-sections.ts";

const BOX = "data-admin-search";

/** The search box of the frame: in the column on wide screens, in the menu on narrow ones. */
export function SearchBox({ placeholder, className }: { placeholder: string; className: string }) {
  return (
    <Form role="search" aria-label="All of admin" action={ADMIN_SEARCH_PATH} className={className}>
      <TextField
        {...{ [BOX]: "" }}
        label="Find a person, payment, race card or day"
        labelHidden
        name="search"
        type="search"
        maxLength={100}
        autoComplete="off"
        enterKeyHint="search"
        aria-keyshortcuts="Control+K Meta+K"
        prefix={<Search aria-hidden="true" />}
        placeholder={placeholder}
      />
    </Form>
  );
}

/** Ctrl-K and ⌘K focus the search box. On narrow screens they open the menu. */
export function useSearchShortcut(): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      const boxes = [...document.querySelectorAll<HTMLInputElement>(`[${BOX}]`)];
      const menu = boxes.map((box) => box.closest("details")).find((details) => details !== null);
      if (menu && isShown(menu)) menu.open = true;
      const box = boxes.find(isShown);
      box?.focus();
      box?.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
}

const isShown = (element: Element) => element.getClientRects().length > 0;
