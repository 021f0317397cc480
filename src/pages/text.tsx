import { raw } from 'hono/html';
import { visibleText } from '../log/html/page-head.ts';
import { toText, toBytes } from '../log/text.ts';
import { textMarkup } from '../log/html/write-text.ts';

/** A text of a service in one line: names, branches. Nothing in it is markup. */
export const Plain = ({ text }: { readonly text: string }) => <bdi>{visibleText(text)}</bdi>;

/** The same with the emojis of its shortcodes: messages, labels. */
export const Prose = ({ text }: { readonly text: string }) => (
  <bdi>{raw(toText(textMarkup(toBytes(visibleText(text)))))}</bdi>
);
