import { relativeTime, rfc3339 } from '../../render/time.ts';

/** How long ago something was; nothing where there is no time. */
export const Ago = ({
  time,
  now,
}: {
  readonly time?: string | null | undefined;
  readonly now: number;
}) =>
  time ? (
    <time datetime={rfc3339(time)} title={rfc3339(time)}>
      {relativeTime(time, now)}
    </time>
  ) : null;
