import { durationOf } from '../../api/resources/duration.ts';
import { duration, relativeTime, rfc3339 } from '../../render/time.ts';

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

/** How long it took, or runs; nothing before its start. */
export const Took = ({ element, now }: { readonly element: object; readonly now: number }) => {
  const seconds = durationOf(element as Readonly<Record<string, unknown>>, now);
  return seconds === null ? null : <>{duration(seconds * 1000)}</>;
};
