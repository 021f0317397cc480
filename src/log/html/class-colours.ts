/** Colours as classes, for pages whose policy allows no `style`: a script sets those that are none of the sixteen. */
import { blackOrWhite } from './contrast.ts';
import { dark, light, solids, variable } from './theme.ts';

/**
 * Markup of `colourValues` with classes: the nearest of the sixteen colours, and beside it in `data-ink` and
 * `data-ground` the colour itself.
 */
export function classColours(dressed: string): string {
  const ink = /"color:([^"]+)"/.exec(dressed)?.[1];
  const ground = /"background-color:([^"]+)"/.exec(dressed)?.[1];
  const lined = dressed.replace('style="text-decoration:overline"', 'class="overline"');
  if (ground === undefined) return lined.replace(/style="color:[^"]+"/, inkClass(ink ?? ''));
  return lined
    .replace(/ style="color:[^"]+"/, '')
    .replace(/style="background-color:[^"]+"/, groundClass(ground, ink ?? ''));
}

/** The rules of the classes. On a ground, text is black or white. */
export const classStyle = [
  '.overline { text-decoration: overline; }',
  '.ground-ink { background: var(--ink); color: var(--ground); }',
  ...light.inks.map((_, index) => `.ink-${index} { color: var(${variable(index)}); }`),
  ...solids.map(
    (solid, index) => `.ground-${index} { background: ${solid}; color: ${blackOrWhite(solid)}; }`,
  ),
  '',
].join('\n');

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

/** The place of the colour that is the most like it, as it is on a light page. */
function nearest(value: string, colours: readonly string[]): number {
  const colour = /#\w{6}/.exec(value)?.[0] ?? '#000000';
  const distances = colours.map((one) => distance(one, colour));
  return distances.indexOf(Math.min(...distances));
}

const distance = (one: string, other: string): number =>
  [1, 3, 5].reduce((sum, at) => sum + (channel(one, at) - channel(other, at)) ** 2, 0);

const channel = (colour: string, at: number): number => parseInt(colour.slice(at, at + 2), 16);
