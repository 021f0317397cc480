/** A time in milliseconds, undefined where none is given. Throws for what is no time. */
export function instant(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`"${text}" is no time`);
  return at;
}
