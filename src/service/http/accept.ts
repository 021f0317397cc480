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

const ours = ['application/json', 'text/plain', 'text/html'];
