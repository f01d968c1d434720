import { useEffect, useEffectEvent, useRef } from "react";

/**
 * Calls the handler once for each response of a fetcher. An effect that depends on `fetcher.data` can be lost: React Router
 * reads it from a variable, so a render that React discards may have seen the response before its effect has run.
 */
export function useResponse<Response>(
  response: Response | null | undefined,
  handleResponse: (response: Response) => void,
): void {
  const handled = useRef<Response>(undefined);
  const onResponse = useEffectEvent(handleResponse);
  useEffect(() => {
    if (response == null || response === handled.current) return;
    handled.current = response;
    onResponse(response);
  });
}
