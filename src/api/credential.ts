import { isToken } from '../parse/token.ts';
import { CictlError, usageError } from '../errors.ts';

/**
 * The value of the header `authorization` (Specification, "Authentication"). The token is never
 * repeated in a message.
 */
export function credential(scheme: 'Bearer' | 'Token', token: string | undefined): string {
  const name = scheme === 'Bearer' ? 'access token' : 'agent registration token';
  if (token === undefined || token === '') {
    const hint = `cictl auth login${scheme === 'Token' ? ' --agent' : ''}, or cictl local up`;
    throw new CictlError('auth', `there is no ${name}`, { hint });
  }
  if (!isToken(token)) throw usageError(`the ${name} is not one line of printable ASCII`);
  return `${scheme} ${token}`;
}
