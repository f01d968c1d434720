/**
 * From now on closes an open menu (`details[data-menu]`) on a press outside, and on Escape, which returns the focus to its
 * summary. Does nothing when called again. Its source is part of an inline script, so it uses nothing outside.
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
