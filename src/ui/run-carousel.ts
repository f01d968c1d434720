/**
 * Shows the controls of a carousel and changes its slides every five seconds, except while it is hovered, focused, paused or
 * hidden, or the viewer prefers reduced motion. Does nothing when called again. It must not refer to anything
 * outside its body, because its source is part of an inline script.
 */
export function runCarousel(section: HTMLElement): void {
  const list = section.querySelector("ul");
  const controls = section.querySelector<HTMLElement>("[data-controls]");
  const pause = section.querySelector<HTMLElement>("[data-pause]");
  if (!list || !controls?.hidden || !pause) return;
  const slides = [...list.children];
  const marks = [...(controls.firstElementChild?.children ?? [])];
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let current = 0;
  let isPaused = false;
  let isInteracting = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  const showSlide = (index: number) => {
    const next = (index + slides.length) % slides.length;
    // Scrolling from the last slide to the first would pass all other slides, so this step fades instead.
    const isWrap = next !== index;
    list.scrollTo({
      left: next * list.clientWidth,
      behavior: reducedMotion.matches || isWrap ? "instant" : "smooth",
    });
    if (isWrap && !reducedMotion.matches)
      list.animate({ opacity: [0, 1] }, { duration: 300, easing: "ease-out" });
  };
  const update = () => {
    const isRunning = !isPaused && !isInteracting && !reducedMotion.matches;
    list.setAttribute("aria-live", isRunning ? "off" : "polite");
    pause.hidden = reducedMotion.matches;
    for (const [index, slide] of slides.entries())
      slide.toggleAttribute("inert", index !== current);
    for (const [index, mark] of marks.entries())
      mark.setAttribute("aria-current", String(index === current));
    clearInterval(timer);
    if (!isRunning) return;
    timer = setInterval(() => {
      if (!section.isConnected) clearInterval(timer);
      else if (document.visibilityState === "visible") showSlide(current + 1);
    }, 5000);
  };
  const setInteracting = (value: boolean) => {
    if (isInteracting === value) return;
    isInteracting = value;
    update();
  };

  pause.onclick = () => {
    isPaused = !isPaused;
    const { title, dataset } = pause;
    pause.title = dataset.otherLabel ?? title;
    pause.setAttribute("aria-label", pause.title);
    dataset.otherLabel = title;
    for (const icon of pause.children) icon.toggleAttribute("hidden");
    update();
  };
  for (const [index, mark] of marks.entries())
    mark.addEventListener("click", () => showSlide(index));
  for (const button of section.querySelectorAll<HTMLElement>("[data-step]"))
    button.onclick = () => showSlide(current + Number(button.dataset.step));
  list.addEventListener("scroll", () => {
    const shown = list.clientWidth > 0 ? Math.round(list.scrollLeft / list.clientWidth) : current;
    if (shown === current) return;
    current = shown;
    update();
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    showSlide(current + (event.key === "ArrowRight" ? 1 : -1));
  });
  section.addEventListener(
    "pointerenter",
    ({ pointerType }) => pointerType === "mouse" && setInteracting(true),
  );
  section.addEventListener("pointerleave", () => setInteracting(false));
  section.addEventListener("focusin", () => setInteracting(true));
  section.addEventListener("focusout", ({ relatedTarget }) => {
    if (!section.contains(relatedTarget as Node | null)) setInteracting(false);
  });
  reducedMotion.addEventListener("change", update);
  controls.hidden = false;
  update();
}
