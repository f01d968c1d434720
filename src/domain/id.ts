const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text can be somebody's or something's id, so that anything else is 'no such'. */
export function isId(text: string): boolean {
  return ID.test(text);
}
