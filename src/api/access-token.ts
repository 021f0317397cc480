import { type RestClient, both, identified, readable } from './rest-client.ts';
import { accessToken as resource, type AccessToken } from './resources/access_token.ts';
import { user, type User } from './resources/user.ts';

export interface AccessTokens {
  /** The token of the request itself; `asSent`: whatever the types of its members are. */
  get(options?: { asSent?: boolean }): Promise<AccessToken>;
  /** Its user, for services that say no user of an access token (public API reference, "User"). */
  user(): Promise<User>;
  /** Afterwards the token is refused everywhere. */
  revoke(): Promise<void>;
}

export const accessToken = (rest: RestClient): AccessTokens => ({
  get: ({ asSent = false } = {}) =>
    rest.one<AccessToken>(
      { method: 'GET', path, action: 'check the access token' },
      asSent ? identified(resource) : both(identified(resource), readable(resource)),
    ),
  user: () =>
    rest.one<User>(
      {
        ...{ method: 'GET', path: ['v2', 'user'], scope: 'read_user' },
        action: 'view the user of the access token',
      },
      readable(user),
    ),
  revoke: () => rest.none({ method: 'DELETE', path, action: 'revoke the access token' }),
});

const path = ['v2', 'access-token'];
