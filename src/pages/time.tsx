import { relativeTime, rfc3339, instant } from '../render/time.ts';
import type { PageContext } from './page-document.tsx';

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
export const Moment = ({ time }: { readonly time: string }) => (
  <time datetime={time}>{utcText(time)}</time>
);

/** A time of the API for people, to the second: `2026-11-20 10:00:07 UTC`; what is no time as it is. */
export function utcText(text: string): string {
  const time = instant(text);
  if (time === undefined) return text;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
