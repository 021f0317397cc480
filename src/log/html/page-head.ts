import { cleanLine } from '../../common/untrusted-text.ts';
import { toBytes } from '../text.ts';
import { escapeHtml } from './escape.ts';
import { safeAddress } from './link.ts';
import { textMarkup } from './write-text.ts';

/** What a page says of its log; texts as the service has them. */
export interface PageHead {
  /** Of the window. */
  readonly title: string;
  readonly job?: string | undefined;
  readonly build?: string | undefined;
  /** Where the job is on the web. */
  readonly address?: string | undefined;
  readonly state?: PageState | undefined;
  /** What there is to say of it in some words each: how long it took, when it began. */
  readonly facts?: readonly string[];
  /** The flags that left a part of the log; its lines have other numbers than in the whole. */
  readonly part?: string | undefined;
  /** The last section is to be open. */
  readonly hasFailed?: boolean;
}

interface PageState {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'busy';
}

/** The head that one reads, as a byte string. */
export function headMarkup(head: PageHead): string {
  const { title, job, build, address, state, facts = [], part } = head;
  const parts = [
    state && `<b class="${state.tone}">${text(state.text)}</b>`,
    build === undefined ? undefined : linked(text(build), address),
    ...facts.map((fact) => `<span>${text(fact)}</span>`),
    part === undefined ? undefined : `<span>a part, numbered from 1: ${plainMarkup(part)}</span>`,
    '<span>times in UTC</span>',
  ];
  const line = parts.filter((part) => part !== undefined).join('\n');
  return `<header>\n<h1>${text(job ?? title)}</h1>\n<p>${line}</p>\n</header>\n`;
}

/** A title is text alone. */
export const titleMarkup = (title: string): string => plainMarkup(title);

/** Without emoji. */
const plainMarkup = (value: string): string => toBytes(escapeHtml(cleanLine(value)));

const text = (value: string): string => textMarkup(toBytes(cleanLine(value)));

function linked(content: string, address = ''): string {
  const safe = safeAddress(address);
  if (safe === undefined || !/^https?:/i.test(safe)) return `<span>${content}</span>`;
  return `<a href="${toBytes(escapeHtml(safe))}" rel="noopener noreferrer nofollow">${content}</a>`;
}
