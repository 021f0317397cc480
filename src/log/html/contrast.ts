/** Contrast of colours `#rrggbb`, as WCAG 2 measures it, and colours that have enough of it. */

/** What WCAG asks of text. */
const leastContrast = 4.5;

/** From 1, the same, to 21, black on white. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The colour itself where it can be read on that ground; else as near to it as can be. */
export function readable(colour: string, ground: string): string {
  const pole = blackOrWhite(ground);
  for (let step = 0; step < 20; step++) {
    const mixed = mix(colour, pole, step / 20);
    if (contrast(mixed, ground) >= leastContrast) return mixed;
  }
  return pole;
}

/** Whichever can be read: one of the two always can. */
export const blackOrWhite = (ground: string): string =>
  luminance(ground) > 0.179 ? '#000000' : '#ffffff';

/** `part` of the second colour in the first. */
export function mix(one: string, other: string, part: number): string {
  const others = channels(other);
  const mixed = channels(one).map((value, at) => value + ((others[at] ?? 0) - value) * part);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
