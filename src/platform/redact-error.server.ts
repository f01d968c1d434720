/**
 * What failed, and where, for the log: which statement, by which code and rule, in which lines. What was
 * asked with is left out, for it is people's: the libraries' own words repeat a statement's values, the
 * text that was no JSON and the addresses that a mail could not be sent to.
 */
export function redactError(error: unknown): string {
  if (!(error instanceof Error)) return withoutPeople(String(error));
  const words: string[] = [];
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    words.push(saidBy(each));
  return withoutPeople([words.join("; caused by "), ...framesOf(error)].join("\n"));
}

type Details = { code?: unknown; constraint?: unknown; table?: unknown; query?: unknown };

function saidBy(error: Error): string {
  const { code, constraint, table, query } = error as Error & Details;
  const said = typeof query === "string" ? `Failed query: ${query}` : error.message;
  const where = { code, constraint, table };
  const details = Object.entries(where).filter(([, value]) => typeof value === "string");
  const known = details.map(([name, value]) => `${name} ${value}`).join(", ");
  return `${error.name}: ${said}${known ? ` (${known})` : ""}`;
}

/** Lines of the stack, which begin after the message, however many lines that has. */
function framesOf({ stack = "", message }: Error): string[] {
  const messageAt = stack.indexOf(message);
  const rest = messageAt < 0 ? stack : stack.slice(messageAt + message.length);
  return rest.split("\n").filter((line) => /^\s+at .*(:\d+:\d+\)?|<anonymous>\)?)$/.test(line));
}

function withoutPeople(words: string): string {
  return words
    .replace(/\nparams: [\s\S]*$/, "")
    .replace(/, ?(\.\.\.)?"[\s\S]*" is not valid JSON/g, ", request body is not valid JSON")
    .replace(/(invalid input [^:\n]*|out of range[^:\n]*): "[\s\S]*?"/g, "$1")
    .replace(/[^\s"'<>:;,()=]+@[^\s"'<>:;,()=]+/g, (whole) =>
      /^(file|node|https?)/.test(whole) || whole.includes("/") ? whole : "(an address)",
    );
}
