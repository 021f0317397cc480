import AnsiToHtml from 'ansi-to-html';
import type { Style } from '../style.ts';

/** What stands before and behind a text in a style. */
export interface Span {
  readonly open: string;
  readonly close: string;
}

/** Colours of the page, for text that has none of its own. */
export const foreground = '#ddd';
export const background = '#111';

/** The span of each style, worked out when it is first met. */
export function spans(): (style: Style) => Span {
  const upright = new AnsiToHtml({ fg: foreground, bg: background });
  const inverse = new AnsiToHtml({ fg: background, bg: foreground });
  const cache = new Map<string, Span>();
  return (style) => {
    const span = cache.get(style.sgr) ?? makeSpan(style.on.includes(7) ? inverse : upright, style);
    if (cache.size >= 4096) cache.clear();
    cache.set(style.sgr, span);
    return span;
  };
}

/** The library dresses a text, which is then cut out. Of faint text it knows nothing. */
function makeSpan(converter: AnsiToHtml, style: Style): Span {
  // It reads one attribute a sequence.
  const sequences = codes(style).map((code) => `\x1b[${code}m`);
  const dressed = converter.toHtml(`${sequences.join('')}*`);
  const text = dressed.indexOf('*');
  const [open, close] = [dressed.slice(0, text), dressed.slice(text + 1)];
  if (!style.on.includes(2)) return { open, close };
  return { open: `<span class="faint">${open}`, close: `${close}</span>` };
}

/** Bold, italic, lines and colours: nothing blinks, nothing is hidden. 39 and 49 are those of the page. */
function codes({ on, foreground: fg, background: bg }: Style): (string | number)[] {
  const colours = on.includes(7) ? [shift(bg, -10) || 39, shift(fg, 10) || 49] : [fg, bg];
  return [...on.filter((code) => [1, 3, 4, 9, 53].includes(code)), ...colours].filter(Boolean);
}

/** A colour of the text as that of what is behind it, and the other way round. */
const shift = (colour: string, by: number): string =>
  colour.replace(/^\d+/, (code) => String(Number(code) + by));
