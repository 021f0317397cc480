import type { JSX } from 'hono/jsx/jsx-runtime';

/** Markup of elements; none of ours is asynchronous. */
export const htmlOf = (element: JSX.Element): string =>
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- it has a `toString` that its type does not show
  String(element);
