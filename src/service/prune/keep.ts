/** How much is to stay: builds that came to their end not long ago, or the newest of each pipeline. */
export type Keep = { readonly age: number } | { readonly newest: number };

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90d`, `12w` and `36h` are ages in milliseconds, `500` a number; undefined for anything else. */
export function parseKeep(text: string): Keep | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,5})([hdw]?)$/.exec(text) ?? [];
  if (digits === '') return undefined;
  const size = units[unit];
  return size === undefined ? { newest: Number(digits) } : { age: Number(digits) * size };
}

export const keepForms = 'an age such as 90d, 12w or 36h, or a number of builds for each pipeline';
