/** The classes of a tab row, which scrolls horizontally when the tabs do not fit. */
export const tabRowClasses =
  "flex gap-1 overflow-x-auto border-b border-rule-strong [scrollbar-width:none]";

/** The classes of one tab, as a link or a button. */
export const tabClasses =
  "tab relative inline-flex min-h-11 min-w-11 shrink-0 justify-center items-center gap-2 px-3 font-cond text-[1.0625rem] font-semibold text-ink-2 no-underline hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:text-green-ink aria-[current=page]:shadow-[inset_0_-3px_0_var(--green-ink)] data-[state=active]:text-green-ink data-[state=active]:shadow-[inset_0_-3px_0_var(--green-ink)]";
