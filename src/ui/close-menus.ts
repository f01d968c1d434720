/**
 * Closes open menus (`details[data-menu]`) when the user presses outside them or presses Escape, which also returns the
 * focus to the summary. Registers its listeners once. It must not refer to anything outside its body, because its source is
 * part of an inline script.
 */
export function closeMenus(): void {
  const page = document.documentElement;
  if ("closesMenus" in page.dataset) return;
  page.dataset.closesMenus = "";
  const close = (event: Event) => {
    const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("[data-menu][open]")) {
      if (isEscape) menu.querySelector("summary")?.focus();
      else if (event.type !== "pointerdown" || menu.contains(event.target as Node)) continue;
      menu.open = false;
    }
  };
  document.addEventListener("keydown", close);
  document.addEventListener("pointerdown", close);
}
