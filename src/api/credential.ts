import { CictlError, usageError } from '../errors.ts';

/**
 * The value of the header `authorization` (Specification, "Authentication"). Tokens have many
 * forms, so nothing is checked but that it is one line of printable ASCII; it is never repeated in
 * a message.
 */
export function credential(scheme: 'Bearer' | 'Token', token: string | undefined): string {
  const name = scheme === 'Bearer' ? 'access token' : 'agent registration token';
  if (token === undefined || token === '') {
    const hint = `cictl auth login${scheme === 'Token' ? ' --agent' : ''}, or cictl local up`;
    throw new CictlError('auth', `there is no ${name}`, { hint });
  }
  if (!/^[\u0020-\u007e]+$/.test(token)) {
    throw usageError(`the ${name} is not one line of printable ASCII characters`);
  }
  return `${scheme} ${token}`;
}
