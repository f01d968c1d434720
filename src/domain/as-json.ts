/** An object as JSON has it: its instants are ISO strings. */
export type AsJson<T> = {
  [Key in keyof T]: Date extends T[Key] ? Exclude<T[Key], Date> | string : T[Key];
};
