import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export type LoadErrorProps = { onRetry: () => void };

/**
 * Creates a component whose code is loaded when it is first shown, or earlier by `preload`. When
 * loading fails, `LoadError` is shown in its place and can retry, so that a lost connection or a
 * new version of the site does not break the page.
 */
export function createDeferredComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  {
    fallback = null,
    LoadError,
  }: { fallback?: ReactNode; LoadError: ComponentType<Props & LoadErrorProps> },
): ComponentType<Props> & { preload: () => Promise<void> } {
  let Loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    Loaded ??= await load();
  };

  // biome-ignore lint/correctness/noComponentHookFactories: called once for each component, at module level
  function Deferred(props: Props) {
    const [attempt, setAttempt] = useState(0);
    // The last finished attempt. It has failed when the code is still not loaded.
    const [finishedAttempt, setFinishedAttempt] = useState(-1);
    useEffect(() => {
      let isCurrent = true;
      const handleFinished = () => {
        if (isCurrent) setFinishedAttempt(attempt);
      };
      preload().then(handleFinished, handleFinished);
      return () => {
        isCurrent = false;
      };
    }, [attempt]);
    if (Loaded) return <Loaded {...props} />;
    // Browsers may cache a failed module import until the page is reloaded.
    const retry = () => (navigator.onLine ? location.reload() : setAttempt(attempt + 1));
    if (finishedAttempt === attempt) return <LoadError {...props} onRetry={retry} />;
    return fallback;
  }
  return Object.assign(Deferred, { preload });
}
