import { durationOf } from '../../api/resources/duration.ts';
import { duration } from '../../render/time.ts';

/** How long it took, or runs; nothing before its start. */
export const Took = ({ element, now }: { readonly element: object; readonly now: number }) => {
  const seconds = durationOf(element as Readonly<Record<string, unknown>>, now);
  return seconds === null ? null : <>{duration(seconds * 1000)}</>;
};
