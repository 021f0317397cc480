/** Converts the colors of a log to markup that is readable in light and dark color schemes. */

const split = (text: string): string[] => text.trim().split(/\s+/);

/** Each color has a contrast of at least 4.5 to its background, which a test checks. */
export type Scheme = Readonly<typeof light>;

export const light = {
  ink: '#1f2328',
  ground: '#ffffff',
  /** Background of the highlighted line. Every text color is readable on it. */
  marked: '#fff3c4',
  /** Background of headers. */
  bar: '#f3f5f7',
  rule: '#d1d9e0',
  quiet: '#59636e',
  link: '#0550ae',
  good: '#116329',
  bad: '#b3202a',
  busy: '#7a4900',
  /** The sixteen terminal colors, for text without a background. */
  inks: split(
    `#24292f #b3202a #116329 #7a4900 #0550ae #6f3bc4 #0f5f66 #57606a
     #4b535b #a40e26 #1a6b2f #633c01 #0a4bb0 #5e2ab0 #0a5560 #32383f`,
  ),
};

export const dark: Scheme = {
  ink: '#e6edf3',
  ground: '#0d1117',
  marked: '#332a10',
  bar: '#161b22',
  rule: '#30363d',
  quiet: '#9198a1',
  link: '#79b8ff',
  good: '#56d364',
  bad: '#ff8b83',
  busy: '#e3b341',
  inks: split(
    `#9aa3ad #ff8b83 #4cc35e #d9a53a #79b0ff #c39aff #46c8d2 #c4ccd4
     #a3abb4 #ffa8a0 #6be07a #eac55f #9ccbff #d8b5ff #6bdde5 #ffffff`,
  ),
};

/** The sixteen colors as backgrounds, and as text on a background; the same in both schemes. */
const solids = split(
  `#010409 #b62324 #1f7a33 #d4a72c #1158c7 #8250df #1b7c83 #d0d7de
   #57606a #fa4549 #2da44e #f0c14b #388bfd #bf8cff #39c5cf #ffffff`,
);

export const variable = (index: number): string => `--c${index}`;

function variables({ inks, ...named }: Scheme): string {
  const names = Object.entries<string>(named).map(([name, color]) => `--${name}: ${color};`);
  return [...names, ...inks.map((ink, index) => `${variable(index)}: ${ink};`)].join(' ');
}

export const themeStyle = `
:root { color-scheme: light dark; ${variables(light)} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
`;

/** Placeholders for the sixteen colors, whose values depend on the background. */
export const tokens: Record<number, string> = Object.fromEntries(
  solids.map((_, index) => [index, `c${index}`]),
);

/** Replaces color names and `#rrggbb` with colors that are readable on their background. */
export function colourValues(dressed: string, isFaint: boolean): string {
  const ink = /"color:(#?\w+)/.exec(dressed)?.[1];
  const ground = /"background-color:(#?\w+)/.exec(dressed)?.[1];
  if (ink === undefined) return dressed;
  const inks = [light, dark].map((scheme) => inkOf(ink, ground, isFaint, scheme));
  const grounds = [light, dark].map((scheme) => colourOf(ground ?? 'ground', scheme, solids));
  return dressed
    .replace(`"color:${ink}`, `"color:${value(inks)}`)
    .replace(`"background-color:${ground}`, `"background-color:${value(grounds)}`);
}

function inkOf(ink: string, ground: string | undefined, isFaint: boolean, scheme: Scheme): string {
  // Text without a background must be readable on the page and on the highlighted line.
  const behind = ground === undefined ? scheme.marked : colourOf(ground, scheme, solids);
  const colour = colourOn(behind, ink, ground, scheme);
  return readable(isFaint ? mix(colour, behind, 0.4) : colour, behind);
}

function colourOn(behind: string, ink: string, ground: string | undefined, scheme: Scheme): string {
  if (ground === undefined) return colourOf(ink, scheme, scheme.inks);
  // Default text on a colored background is the same in both schemes.
  const isPlain = ground !== 'ink' && (ink === 'ink' || ink === 'ground');
  return isPlain ? blackOrWhite(behind) : colourOf(ink, scheme, solids);
}

function colourOf(name: string, { ink, ground }: Scheme, sixteen: readonly string[]): string {
  if (name.startsWith('#')) return name;
  if (name === 'ink') return ink;
  return name === 'ground' ? ground : (sixteen[Number(name.slice(1))] ?? ink);
}

/** Returns one value if both schemes use it, otherwise a page variable or `light-dark()`. */
function value([inLight = '', inDark = '']: readonly string[]): string {
  if (inLight === inDark) return inLight;
  const index = light.inks.findIndex((ink, at) => ink === inLight && dark.inks[at] === inDark);
  return index < 0 ? `light-dark(${inLight},${inDark})` : `var(${variable(index)})`;
}

/**
 * Replaces the styles from `colourValues` with classes for the closest colors, for pages
 * whose content security policy forbids inline styles. A script then applies the exact colors from
 * `data-ink` and `data-ground`.
 */
export function classColours(dressed: string): string {
  const ink = /"color:([^"]+)"/.exec(dressed)?.[1] ?? '';
  const ground = /"background-color:([^"]+)"/.exec(dressed)?.[1];
  const lined = dressed.replace('style="text-decoration:overline"', 'class="overline"');
  if (ground === undefined) return lined.replace(/style="color:[^"]+"/, inkClass(ink));
  return lined
    .replace(/ style="color:[^"]+"/, '')
    .replace(/style="background-color:[^"]+"/, groundClass(ground, ink));
}

function inkClass(ink: string): string {
  const index = light.inks.findIndex((_, at) => ink === `var(${variable(at)})`);
  if (index >= 0) return `class="ink-${index}"`;
  return `class="ink-${nearest(ink, light.inks)}" data-ink="${ink}"`;
}

function groundClass(ground: string, ink: string): string {
  if (ground === `light-dark(${light.ink},${dark.ink})`) return 'class="ground-ink"';
  const index = nearest(ground, solids);
  const solid = solids[index] ?? '';
  const isExact = solid === ground;
  const inkData = ink === blackOrWhite(solid) && isExact ? '' : ` data-ink="${ink}"`;
  return `class="ground-${index}"${inkData}${isExact ? '' : ` data-ground="${ground}"`}`;
}

function nearest(value: string, colours: readonly string[]): number {
  const wanted = channels(/#\w{6}/.exec(value)?.[0] ?? '#000000');
  const distances = colours.map((colour) =>
    channels(colour).reduce((sum, channel, at) => sum + (channel - (wanted[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** Black or white, whichever is more readable on the background. */
function blackOrWhite(ground: string): string {
  return luminance(ground) > 0.179 ? '#000000' : '#ffffff';
}

/** CSS rules for the color classes. Text on a colored background is black or white. */
export const classStyle = [
  '.overline { text-decoration: overline; }',
  '.ground-ink { background: var(--ink); color: var(--ground); }',
  ...light.inks.map((_, index) => `.ink-${index} { color: var(${variable(index)}); }`),
  ...solids.map(
    (solid, index) => `.ground-${index} { background: ${solid}; color: ${blackOrWhite(solid)}; }`,
  ),
  '',
].join('\n');

/** WCAG 2 contrast of two `#rrggbb` colors, from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const leastContrast = 4.5;

/** Returns the color if it is readable on the background, otherwise the closest readable color. */
export function readable(colour: string, ground: string): string {
  const pole = blackOrWhite(ground);
  for (let step = 0; step < 20; step++) {
    const mixed = mix(colour, pole, step / 20);
    if (contrast(mixed, ground) >= leastContrast) return mixed;
  }
  return pole;
}

function mix(one: string, other: string, part: number): string {
  const others = channels(other);
  const mixed = channels(one).map((value, at) => value + ((others[at] ?? 0) - value) * part);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
