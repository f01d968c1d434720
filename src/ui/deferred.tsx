import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export type FaultProps = { onRetry: () => void };

/**
 * A component whose code is fetched when it is first shown, or before by `preload`. Where that fails,
 * `Fault` stands in its place and can try again: what a lost connection, or a new version of the site,
 * keeps away must not take the page with it.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, Fault }: { waiting?: ReactNode; Fault: ComponentType<Props & FaultProps> },
): ComponentType<Props> & { preload: () => Promise<void> } {
  let Loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    Loaded ??= await load();
  };

  // biome-ignore lint/correctness/noComponentHookFactories: called once for each component, at module level
  function Deferred(props: Props) {
    const [tries, setTries] = useState(0);
    // Which try has come to an end; until the code is there, that was a failure.
    const [ended, setEnded] = useState(-1);
    useEffect(() => {
      let isCurrent = true;
      const end = () => {
        if (isCurrent) setEnded(tries);
      };
      preload().then(end, end);
      return () => {
        isCurrent = false;
      };
    }, [tries]);
    if (Loaded) return <Loaded {...props} />;
    // Browsers may remember that a file could not be had for as long as the page is open.
    const retry = () => (navigator.onLine ? location.reload() : setTries(tries + 1));
    if (ended === tries) return <Fault {...props} onRetry={retry} />;
    return waiting;
  }
  return Object.assign(Deferred, { preload });
}
