import { blackOrWhite, mix, readable } from './contrast.ts';
import { dark, light, solids, variable, type Scheme } from './theme.ts';

/** Names that stand for the first sixteen colours until it is known what is behind the text. */
export const tokens: Record<number, string> = Object.fromEntries(
  solids.map((_, index) => [index, `c${index}`]),
);

/**
 * Markup with colours by name, `color:c1` or `color:ink`, and as `#rrggbb`, as markup with those of
 * the page: text is made lighter or darker until it can be read on its ground.
 */
export function colourValues(dressed: string, isFaint: boolean): string {
  const ink = /"color:(#?\w+)/.exec(dressed)?.[1];
  const ground = /"background-color:(#?\w+)/.exec(dressed)?.[1];
  if (ink === undefined) return dressed;
  const inks = schemes.map((scheme) => inkOf(ink, ground, isFaint, scheme));
  const grounds = schemes.map((scheme) => groundOf(ground ?? 'ground', scheme));
  return dressed
    .replace(`"color:${ink}`, `"color:${value(inks)}`)
    .replace(`"background-color:${ground}`, `"background-color:${value(grounds)}`);
}

const schemes = [light, dark] as const;

function inkOf(ink: string, ground: string | undefined, isFaint: boolean, scheme: Scheme): string {
  // Without a ground of its own a line has that of the page, or is the one that is marked.
  const behind = ground === undefined ? scheme.marked : groundOf(ground, scheme);
  const colour = colourOn(behind, ink, ground, scheme);
  return readable(isFaint ? mix(colour, behind, 0.4) : colour, behind);
}

function colourOn(behind: string, ink: string, ground: string | undefined, scheme: Scheme): string {
  if (ground === undefined) return colourOf(ink, scheme, scheme.inks);
  // On a colour, text without one is as it would be on any page.
  const isPlain = ground !== 'ink' && (ink === 'ink' || ink === 'ground');
  return isPlain ? blackOrWhite(behind) : colourOf(ink, scheme, solids);
}

const groundOf = (ground: string, scheme: Scheme): string => colourOf(ground, scheme, solids);

function colourOf(name: string, { ink, ground }: Scheme, sixteen: readonly string[]): string {
  if (name.startsWith('#')) return name;
  if (name === 'ink') return ink;
  return name === 'ground' ? ground : (sixteen[Number(name.slice(1))] ?? ink);
}

/** One value where both schemes have the same, a variable of the page, or one for each. */
function value([inLight = '', inDark = '']: readonly string[]): string {
  if (inLight === inDark) return inLight;
  const index = light.inks.findIndex((ink, at) => ink === inLight && dark.inks[at] === inDark);
  return index < 0 ? `light-dark(${inLight},${inDark})` : `var(${variable(index)})`;
}
