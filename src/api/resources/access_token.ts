import { one, resource, text, texts, time, type ResourceValue } from './resource.ts';
import { user } from './user.ts';

/** spec.md, "Access token (as returned)". Older services send only `uuid` and `scopes`. */
export const accessToken = resource({
  name: 'access token',
  plural: 'access tokens',
  identity: ['uuid', 'scopes'],
  members: {
    uuid: text(),
    scopes: texts(),
    description: text(),
    created_at: time(),
    expires_at: time(),
    user: one(user),
  },
  columns: [
    { path: 'uuid', heading: 'UUID' },
    { path: 'scopes', heading: 'SCOPES' },
    { path: 'description', heading: 'DESCRIPTION' },
  ],
  detail: ['uuid', 'scopes', 'description', 'user.name', 'user.email', 'created_at', 'expires_at'],
});

export type AccessToken = ResourceValue<typeof accessToken>;
