import { plain } from '../style.ts';
import { toBytes, toText } from '../text.ts';
import { classColours } from './colours.ts';
import { newMarkup, take } from './markup.ts';
import { spans } from './span.ts';
import { writeContent } from './write-line.ts';

/**
 * Settled lines that stand alone as markup, without a newline: colours are classes, text is text. Colours
 * that would take many times the bytes of their text are left out.
 */
export function lineMarkup(): (line: string) => string {
  const spanOf = spans(sixteenColours);
  return (line) => {
    const text = line.replace(colours, '');
    const markup = write(line);
    return markup.length <= mostGrowth * text.length + room ? markup : write(text);
  };

  function write(line: string): string {
    const text = toBytes(line);
    const markup = newMarkup(1024);
    writeContent(markup, { text, bytes: Buffer.from(text, 'latin1') }, 0, spanOf(plain));
    return toText(take(markup));
  }
}

/** Without what a script would make of them. */
const sixteenColours = (dressed: string): string =>
  classColours(dressed).replace(/ data-(?:ink|ground)="[^"]*"/g, '');

const colours = /\x1b\[[\d;:]*m/g;
const mostGrowth = 8;
/** Enough for some words in colours of their own. */
const room = 512;
