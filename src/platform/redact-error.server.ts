/**
 * The maximum length of a logged message. Applied first, because a message can quote a whole request
 * and some of the patterns take quadratic time.
 */
const MAX_MESSAGE = 8_000;

/**
 * Formats an error for the log: statement, code, constraint and stack. Removes personal data, because
 * messages of libraries contain the parameters of statements, invalid JSON and the addresses of
 * undeliverable emails.
 */
export function redactError(error: unknown): string {
  if (!(error instanceof Error)) return redactText(String(error).slice(0, MAX_MESSAGE));
  const messages: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    messages.push(describeError(cause));
  return redactText([messages.join("; caused by "), ...listStackFrames(error)].join("\n"));
}

type Details = { code?: unknown; constraint?: unknown; table?: unknown; query?: unknown };

function describeError(error: Error): string {
  const { code, constraint, table, query } = error as Error & Details;
  const message = (typeof query === "string" ? `Failed query: ${query}` : error.message).slice(
    0,
    MAX_MESSAGE,
  );
  const fields = { code, constraint, table };
  const details = Object.entries(fields).filter(([, value]) => typeof value === "string");
  const suffix = details.map(([name, value]) => `${name} ${value}`).join(", ");
  return `${error.name}: ${message}${suffix ? ` (${suffix})` : ""}`;
}

/** Returns the stack frames, which follow a message of any number of lines. */
function listStackFrames({ stack = "", message }: Error): string[] {
  const messageAt = stack.indexOf(message);
  const rest = messageAt < 0 ? stack : stack.slice(messageAt + message.length);
  return rest.split("\n").filter((line) => /^\s+at .*(:\d+:\d+\)?|<anonymous>\)?)$/.test(line));
}

function redactText(text: string): string {
  return text
    .replace(/\nparams: [\s\S]*$/, "")
    .replace(/, ?(\.\.\.)?"[\s\S]*" is not valid JSON/g, ", request body is not valid JSON")
    .replace(/(invalid input [^:\n]*|out of range[^:\n]*): "[\s\S]*?("|$)/g, "$1")
    .replace(/[^\s"'<>:;,()=]+/g, (word) =>
      !word.slice(1, -1).includes("@") || /^(file|node|https?)/.test(word) || word.includes("/")
        ? word
        : "(an address)",
    );
}
