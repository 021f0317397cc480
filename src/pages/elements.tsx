import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { cleanLine, cleanMarkup } from '../common/untrusted-text.ts';
import { toText, toBytes } from '../log/text.ts';
import { textMarkup } from '../log/html/write-text.ts';
import { stateColor, stateGlyph, stateText, type StateMarks } from '../render/state.ts';
import type { PageContext } from './page-document.tsx';
import { relativeTime, rfc3339, instant } from '../render/time.ts';

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

export type Fact = readonly [name: string, value: Child];

/** What is known of a build, a job or an agent: names with their values, in lines that wrap. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** None where there is no value, or an empty one. */
export const textFact = (name: string, value: string | number | null | undefined): Fact[] =>
  value === null || value === undefined || value === ''
    ? []
    : [[name, <Plain text={String(value)} />]];

/** None where there is no time. `time` as the API has it. */
export const timeFact = (name: string, time: string | null | undefined): Fact[] =>
  time ? [[name, <Moment time={time} />]] : [];

/** A state with its sign and its words, as the terminal has them: `✗ timed out`. */
export const State = ({
  state,
  marks = {},
}: {
  readonly state: string;
  readonly marks?: StateMarks;
}) => (
  <span class={`state ${toneOf(state, marks)}`}>
    <span aria-hidden="true">{stateGlyph(state, marks)}</span> {stateText(state, marks)}
  </span>
);

/** The class of the colour that goes with a state, for text and for bars: `good`, `bad`, `busy` and so on. */
export const toneOf = (state: string, marks: StateMarks = {}): string =>
  tones[stateColor(state, marks)] ?? 'quiet';

const tones: Readonly<Record<string, string>> = {
  green: 'good',
  red: 'bad',
  bold: 'soft',
  cyan: 'active',
  magenta: 'busy',
  normal: 'queued',
  dim: 'quiet',
};

/**
 * What forms that change something carry: that they are of this session, and a value by which one that is
 * sent twice is known. Browsers are not to fill in that of an earlier page.
 */
export const FormToken = ({
  context: { formToken, once },
}: {
  readonly context: Pick<PageContext, 'formToken' | 'once'>;
}) => (
  <>
    <input type="hidden" name="form_token" value={formToken} />
    {once !== undefined && <input type="hidden" name="once" value={once} autocomplete="off" />}
  </>
);

/** Markup of elements, sanitized in attributes too; none of ours is asynchronous. */
export const htmlOf = (element: JSX.Element): string =>
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- it has a `toString` that its type does not show
  cleanMarkup(String(element));

/** How long ago something was, in a file at what time; nothing where there is no time. */
export const Ago = ({
  time,
  context: { now, isFile = false },
}: {
  readonly time?: string | null | undefined;
  readonly context: Pick<PageContext, 'now' | 'isFile'>;
}) =>
  time ? (
    <time datetime={rfc3339(time)} title={rfc3339(time)}>
      {isFile ? utcText(time) : relativeTime(time, now)}
    </time>
  ) : null;

/** A time of the API: `2023-11-14 22:13:20 UTC`. */
const Moment = ({ time }: { readonly time: string }) => (
  <time datetime={time}>{utcText(time)}</time>
);

/** A time of the API for people, to the second: `2026-11-20 10:00:07 UTC`; what is no time as it is. */
export function utcText(text: string): string {
  const time = instant(text);
  if (time === undefined) return text;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
