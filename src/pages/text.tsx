import { raw } from 'hono/html';
import { cleanLine } from '../common/untrusted-text.ts';
import { toText, toBytes } from '../log/text.ts';
import { textMarkup } from '../log/html/write-text.ts';

/** A text of a service in one line: names, branches. Nothing in it is markup. */
export const Plain = ({ text }: { readonly text: string }) => <bdi>{cleanLine(text)}</bdi>;

/** The same with the emojis of its shortcodes: messages, labels. */
export const Prose = ({ text }: { readonly text: string }) => <bdi>{raw(prose(text))}</bdi>;

/** The same where no element may stand: in the title of a window. */
export const WindowTitle = ({ text }: { readonly text: string }) => (
  <title>{raw(prose(text).replace(/<[^>]*>/g, ''))}</title>
);

/** The text escaped, its emojis as elements. */
const prose = (text: string): string => toText(textMarkup(toBytes(cleanLine(text))));
