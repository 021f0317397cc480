import type { Caller } from './caller.ts';
import type { AccessToken } from './resources/access_token.ts';

export interface AccessTokens {
  /** The token of the request itself. */
  get(): Promise<AccessToken>;
  /** Afterwards the token is refused everywhere. */
  revoke(): Promise<void>;
}

export const accessToken = (caller: Caller): AccessTokens => ({
  get: () => caller.one<AccessToken>({ method: 'GET', path, doing: 'check the access token' }),
  revoke: () => caller.none({ method: 'DELETE', path, doing: 'revoke the access token' }),
});

const path = ['v2', 'access-token'];
