import { plain } from '../style.ts';
import { toBytes, toText } from '../text.ts';
import { classColours } from './colours.ts';
import { newMarkup, take } from './markup.ts';
import { spans } from './span.ts';
import { writeContent } from './write-line.ts';

/**
 * Converts standalone settled lines to markup without a newline; colors become classes. Drops the
 * colors of a line if the markup would be many times as long as the text.
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

/** Without the attributes for a script. */
const sixteenColours = (dressed: string): string =>
  classColours(dressed).replace(/ data-(?:ink|ground)="[^"]*"/g, '');

const colours = /\x1b\[[\d;:]*m/g;
const mostGrowth = 8;
/** Room for a few colored words in a short line. */
const room = 512;
