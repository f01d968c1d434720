import type { FormEvent } from "react";
import { useFetcher } from "react-router";
import { Button } from "#ui/button.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";

/** The result of marking a tip as won or lost. */
export type MarkResultResponse = {
  ok: boolean;
  title: string;
  message?: string;
  /** The result that has to be confirmed. Nothing has been saved yet. */
  confirm?: { tipId: string; result: "won" | "lost" };
};

type ResultFormProps = { tipId: string; raceNumber: number; horseName: string };

/**
 * The buttons W and L of a race that is over. Requires a confirmation, because a result can be
 * entered only once.
 */
export function ResultForm({ tipId, raceNumber, horseName }: ResultFormProps) {
  const fetcher = useFetcher<MarkResultResponse>();
  const { confirm } = useNotification();
  const hydrated = useHydrated();
  const pendingResult = fetcher.formData?.get("result");

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const result = (submitter as HTMLButtonElement | null)?.value;
    if (!result || fetcher.state !== "idle") return;
    const isConfirmed = await confirm({
      title: `Race ${raceNumber}, ${horseName}: ${result === "won" ? "won" : "lost"}?`,
      message:
        result === "won"
          ? "For a win tip, won means first. For place and each-way, won means placed. You can't change a result once it is entered."
          : "You can't change a result once it is entered.",
      confirmText: result === "won" ? "Mark as won" : "Mark as lost",
    });
    if (isConfirmed)
      void fetcher.submit(
        { tipId, result },
        { method: "post", action: "/tipster-dashboard/result" },
      );
  };

  const description = `race ${raceNumber}, ${horseName},`;
  return (
    <fetcher.Form
      method="post"
      action="/tipster-dashboard/result"
      onSubmit={handleSubmit}
      className="inline-flex gap-2"
    >
      <input type="hidden" name="tipId" value={tipId} />
      {hydrated ? null : <input type="hidden" name="ask" value="first" />}
      <Button
        type="submit"
        name="result"
        value="won"
        variant="secondary"
        size="small"
        pending={pendingResult === "won"}
        aria-label={`W: mark ${description} as won`}
        className="min-w-11"
      >
        <span className="font-cond text-lg font-bold text-green-ink">W</span>
      </Button>
      <Button
        type="submit"
        name="result"
        value="lost"
        variant="secondary"
        size="small"
        pending={pendingResult === "lost"}
        aria-label={`L: mark ${description} as lost`}
        className="min-w-11"
      >
        <span className="font-cond text-lg font-bold text-danger-ink">L</span>
      </Button>
    </fetcher.Form>
  );
}
