import { utcText } from './utc-text.ts';

/** A time of the API: `2023-11-14 22:13:20 UTC`. */
export const Moment = ({ time }: { readonly time: string }) => (
  <time datetime={time}>{utcText(time)}</time>
);
