import AnsiToHtml from 'ansi-to-html';
import { restyle, type Style } from '../style.ts';
import { asciiBytes } from './markup.ts';
import { colourValues, tokens } from './colours.ts';

export interface Span {
  readonly style: Style;
  readonly open: Uint8Array;
  readonly close: Uint8Array;
  after(parameters: string): Span;
}

/** Maximum number of cached spans, because a log can contain any number of colors. */
const mostSpans = 4096;

/** Caches the span of each style. `change` modifies the markup of a span. */
export function spans(change = (dressed: string) => dressed): (style: Style) => Span {
  const upright = new AnsiToHtml({ fg: 'ink', bg: 'ground', colors: tokens });
  const inverse = new AnsiToHtml({ fg: 'ground', bg: 'ink', colors: tokens });
  const known = new Map<string, Span>();
  let count = 0;
  return spanOf;

  function spanOf(style: Style): Span {
    const cached = known.get(style.sgr);
    if (cached !== undefined) return cached;
    const span = makeSpan(style);
    known.set(style.sgr, span);
    return span;
  }

  function makeSpan(style: Style): Span {
    const next = new Map<string, Span>();
    const after = (parameters: string): Span => {
      const cached = next.get(parameters);
      if (cached !== undefined) return cached;
      if (++count % mostSpans === 0) known.clear();
      const span = spanOf(restyle(style, parameters));
      if (count % mostSpans === 0) next.clear();
      next.set(parameters, span);
      return span;
    };
    const converter = style.on.includes(7) ? inverse : upright;
    return { style, ...dress(converter, style, change), after };
  }
}

/** Lets the library style a placeholder, then removes it. The library cannot make text faint. */
function dress(
  converter: AnsiToHtml,
  style: Style,
  change: (dressed: string) => string,
): Pick<Span, 'open' | 'close'> {
  const sequences = codes(style).map((code) => `\x1b[${code}m`);
  const coloured = converter.toHtml(`${sequences.join('')}*`);
  const dressed = change(colourValues(coloured, style.on.includes(2)));
  const text = dressed.indexOf('*');
  return { open: asciiBytes(dressed.slice(0, text)), close: asciiBytes(dressed.slice(text + 1)) };
}

/** Omits the styles for blinking and hidden text. Codes 39 and 49 are the page's own colors. */
function codes({ on, foreground, background }: Style): (string | number)[] {
  const isInverse = on.includes(7);
  const isFaint = on.includes(2);
  const ink = isInverse ? shift(background, -10) : foreground;
  const ground = isInverse ? shift(foreground, 10) || 49 : background;
  // Text needs an explicit color if it is faint or its background is colored.
  const colours = [ink || (ground || isFaint ? 39 : ''), ground];
  return [...on.filter((code) => [1, 3, 4, 9, 53].includes(code)), ...colours].filter(Boolean);
}

const shift = (colour: string, by: number): string =>
  colour.replace(/^\d+/, (code) => String(Number(code) + by));
