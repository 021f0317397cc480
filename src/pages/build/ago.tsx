import { relativeTime, rfc3339 } from '../../render/time.ts';
import type { PageContext } from '../page-context.ts';
import { utcText } from '../utc-text.ts';

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
