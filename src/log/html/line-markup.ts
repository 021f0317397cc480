import { plain } from '../style.ts';
import { toBytes, toText } from '../text.ts';
import { classColours } from './colours.ts';
import { newMarkup, take } from './markup.ts';
import { spans } from './span.ts';
import { writeContent } from './write-line.ts';

/** Converts a single settled line to markup. Omits colors if they make the markup much longer. */
export function lineMarkup(): (line: string) => string {
  // Omits the `data-` attributes, which only a script uses.
  const spanOf = spans((dressed) =>
    classColours(dressed).replace(/ data-(?:ink|ground)="[^"]*"/g, ''),
  );
  return (line) => {
    const text = line.replace(colours, '');
    const markup = write(line);
    return markup.length <= 8 * text.length + 512 ? markup : write(text);
  };

  function write(line: string): string {
    const text = toBytes(line);
    const markup = newMarkup(1024);
    writeContent(markup, { text, bytes: Buffer.from(text, 'latin1') }, 0, spanOf(plain));
    return toText(take(markup));
  }
}

const colours = /\x1b\[[\d;:]*m/g;
