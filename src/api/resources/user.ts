import { describeUser } from './describe.ts';
import { resource, text, time, url, type ResourceValue } from './resource.ts';

export const user = resource({
  name: 'user',
  plural: 'users',
  members: {
    id: text(),
    graphql_id: text(),
    name: text(),
    email: text(),
    avatar_url: url(),
    created_at: time(),
  },
  describe: describeUser,
  columns: [
    { path: 'id', heading: 'ID' },
    { path: 'name', heading: 'NAME' },
    { path: 'email', heading: 'EMAIL' },
  ],
});

export type User = ResourceValue<typeof user>;
