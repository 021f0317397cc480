import { instant, relativeTime, rfc3339 } from '../../render/time.ts';
import type { PageContext } from '../page-context.ts';

/** How long ago something was, in a file when; nothing where there is no time. */
export const Ago = ({
  time,
  context: { now, isFile = false },
}: {
  readonly time?: string | null | undefined;
  readonly context: Pick<PageContext, 'now' | 'isFile'>;
}) =>
  time ? (
    <time datetime={rfc3339(time)} title={rfc3339(time)}>
      {isFile ? timeInWords(time) : relativeTime(time, now)}
    </time>
  ) : null;

/** `2026-11-20 10:00:07 UTC`; what is no time as it is. */
function timeInWords(text: string): string {
  const time = instant(text);
  if (time === undefined) return text;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
