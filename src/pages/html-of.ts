import { cleanMarkup } from '../common/untrusted-text.ts';
import type { JSX } from 'hono/jsx/jsx-runtime';

/** Markup of elements, sanitized in attributes too; none of ours is asynchronous. */
export const htmlOf = (element: JSX.Element): string =>
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- it has a `toString` that its type does not show
  cleanMarkup(String(element));
