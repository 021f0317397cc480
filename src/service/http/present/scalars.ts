export const graphqlId = (type: string, id: string): string =>
  Buffer.from(`${type}---${id}`).toString('base64');

/** Formats as `2015-05-09T21:05:59.874Z`. Caches the day, because lists contain many timestamps. */
export function iso(at: number): string {
  const day = Math.floor(at / dayLength);
  if (day !== known.day)
    known = { day, text: new Date(day * dayLength).toISOString().slice(0, -13) };
  const rest = at - day * dayLength;
  const [hour, minute] = [Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60];
  const [second, fraction] = [Math.floor(rest / 1000) % 60, String(rest % 1000).padStart(3, '0')];
  return `${known.text}${two[hour]}:${two[minute]}:${two[second]}.${fraction}Z`;
}

const dayLength = 86_400_000;
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
let known = { day: NaN, text: '' };

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** Formats as `2013-09-03 13:24:38 UTC` (specification, "Pipeline"). */
export const spaced = (at: number): string => `${iso(at).slice(0, 19).replace('T', ' ')} UTC`;
