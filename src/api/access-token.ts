import { type RestClient, both, identified, readable } from './rest-client.ts';
import { accessToken as resource, type AccessToken } from './resources/access_token.ts';
import { user, type User } from './resources/user.ts';

export const accessToken = (rest: RestClient) => ({
  /** Returns the token in use. With `asSent`, the types of its fields are not checked. */
  get: ({ asSent = false } = {}) =>
    rest.one<AccessToken>(
      { method: 'GET', path, action: 'check the access token' },
      asSent ? identified(resource) : both(identified(resource), readable(resource)),
    ),
  /** The token's user, for services that return an access token without it (public API, "User"). */
  user: () =>
    rest.one<User>(
      {
        ...{ method: 'GET', path: ['v2', 'user'], scope: 'read_user' },
        action: "look up the access token's user",
      },
      readable(user),
    ),
  revoke: () => rest.none({ method: 'DELETE', path, action: 'revoke the access token' }),
});

const path = ['v2', 'access-token'];
