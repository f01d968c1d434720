/** Returns the messages and statuses unchanged. The type requires an entry for every refusal. */
export function refusalMessages<Refusal extends string>(
  messages: Record<Refusal, readonly [message: string, status: number]>,
) {
  return messages;
}
