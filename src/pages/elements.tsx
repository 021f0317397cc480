import { durationOf } from '../api/resources/duration.ts';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { cleanLine, cleanMarkup } from '../common/untrusted-text.ts';
import { toText, toBytes } from '../log/text.ts';
import { textMarkup } from '../log/html/write-text.ts';
import { stateColor, stateGlyph, stateText, type StateMarks } from '../render/state.ts';
import type { PageContext } from './page-document.tsx';
import { relativeTime, rfc3339, instant } from '../render/time.ts';

/** Untrusted text on one line, escaped. */
export const Plain = ({ text }: { readonly text: string }) => <bdi>{cleanLine(text)}</bdi>;

/** Untrusted text on one line, escaped, with emojis instead of shortcodes. */
export const Prose = ({ text }: { readonly text: string }) => <bdi>{raw(prose(text))}</bdi>;

export const PlainLink = ({ href, text }: { href: string | undefined; text: string }) =>
  href === undefined ? (
    <Plain text={text} />
  ) : (
    <a href={href}>
      <Plain text={text} />
    </a>
  );

/** Text with emojis but without elements, which `<title>` cannot contain. */
export const WindowTitle = ({ text }: { readonly text: string }) => (
  <title>{raw(prose(text).replace(/<[^>]*>/g, ''))}</title>
);

const prose = (text: string): string => toText(textMarkup(toBytes(cleanLine(text))));

export type Fact = readonly [name: string, value: Child];

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

export const textFact = (name: string, value: string | number | null | undefined): Fact[] =>
  (value ?? '') === '' ? [] : [[name, <Plain text={String(value)} />]];

export const timeFact = (name: string, time: string | null | undefined): Fact[] =>
  time ? [[name, <Moment time={time} />]] : [];

/** `in 3m` if finished, `for 3m` if still running, and empty if not started. */
export const Took = ({
  of,
  now,
  text,
}: {
  readonly of: Parameters<typeof durationOf>[0] & { readonly finished_at?: string | null };
  readonly now: number;
  readonly text: (ms: number) => string;
}) => {
  const seconds = durationOf(of, now);
  if (seconds === null) return null;
  return (
    <span>
      {of.finished_at ? 'in' : 'for'} {text(seconds * 1000)}
    </span>
  );
};

export const State = ({ state, marks = {} }: { state: string; marks?: StateMarks }) => (
  <span class={`state ${toneOf(state, marks)}`}>
    <span aria-hidden="true">{stateGlyph(state, marks)}</span> {stateText(state, marks)}
  </span>
);

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

/** The session token, and a value that lets the service detect a form that was sent twice. */
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

/** Renders to HTML. None of these components is asynchronous. */
export const htmlOf = (element: JSX.Element): string =>
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- it has a `toString` that its type does not show
  cleanMarkup(String(element));

/** A relative time. Pages saved as files show absolute times, because they may be read much later. */
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

const Moment = ({ time }: { readonly time: string }) => (
  <time datetime={time}>{utcText(time)}</time>
);

/** Formats a time as `2026-11-20 10:00:07 UTC`. Returns an invalid time unchanged. */
export function utcText(text: string): string {
  const time = instant(text);
  if (time === undefined) return text;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
