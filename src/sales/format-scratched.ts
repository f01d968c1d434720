/** Returns how many selections of a race card are scratched, such as '2 selections scratched'. */
export function formatScratched(count: number): string {
  return `${count} ${count === 1 ? "selection" : "selections"} scratched`;
}
