import { parseAccept } from 'hono/utils/accept';
import type { Call } from './route.ts';

/**
 * Whether this type is what `Accept` likes best of ours; a wildcard does not count, JSON being the
 * form of choice.
 */
export function accepts(call: Pick<Call, 'header'>, type: string): boolean {
  const [best] = parseAccept(call.header('accept') ?? '').filter(
    ({ type: one, q }) => q > 0 && ours.includes(one.toLowerCase()),
  );
  return best?.type.toLowerCase() === type;
}

/**
 * Whether an error is read as JSON. Who takes anything, and comes without a token as programs do, gets what
 * stands at an address of the pages: a page.
 */
export const readsJson = (call: Pick<Call, 'header'>): boolean =>
  accepts(call, 'application/json') ||
  (!accepts(call, 'text/html') && call.header('authorization') !== undefined);

const ours = ['application/json', 'text/plain', 'text/html'];
