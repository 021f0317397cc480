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

const none: Span = { open: '', close: '' };

/** The span of each style, worked out when it is first met. */
export function spans(): (style: Style) => Span {
  const converter = new AnsiToHtml({ fg: foreground, bg: background });
  const known = new Map<string, Span>();
  return (style) => {
    if (style.sgr === '') return none;
    const span = known.get(style.sgr);
    if (span !== undefined) return span;
    if (known.size >= 4096) known.clear();
    const made = makeSpan(converter, style);
    known.set(style.sgr, made);
    return made;
  };
}

/** `ansi-to-html` reads one attribute at a time, and dresses a text that is then cut out. */
function makeSpan(converter: AnsiToHtml, style: Style): Span {
  const dressed = converter.toHtml(`${codes(style).map(sequence).join('')}${placeholder}`);
  const [open = '', close = ''] = dressed.split(placeholder);
  const faint = style.on.includes(2);
  return {
    open: (faint ? '<span class="faint">' : '') + open,
    close: close + (faint ? '</span>' : ''),
  };
}

const placeholder = '*';
const sequence = (code: string | number): string => `\x1b[${code}m`;

/** What the package knows: bold, italic, lines and colours. Nothing blinks, nothing is hidden. */
function codes({ on, foreground: fg, background: bg }: Style): (string | number)[] {
  const weights = on.filter((code) => [1, 3, 4, 9, 53].includes(code));
  if (!on.includes(7)) return [...weights, fg, bg].filter((code) => code !== '');
  return [...weights, asForeground(bg), asBackground(fg)];
}

/** Inverse: the other colour of the two; 49 and 39 are those of the page. */
const asForeground = (bg: string): string =>
  bg === '' ? trueColour(38, background) : bg.replace(/^\d+/, (code) => String(Number(code) - 10));
const asBackground = (fg: string): string =>
  fg === '' ? trueColour(48, foreground) : fg.replace(/^\d+/, (code) => String(Number(code) + 10));

/** `#abc` as the parameters of a colour. */
const trueColour = (code: number, hex: string): string =>
  [
    code,
    2,
    ...hex
      .slice(1)
      .split('')
      .map((digit) => parseInt(digit + digit, 16)),
  ].join(';');
