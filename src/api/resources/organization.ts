import { resource, text, time, url, type ResourceValue } from './resource.ts';

export const organization = resource({
  name: 'organization',
  plural: 'organizations',
  references: ['slug'],
  identity: ['slug', 'id'],
  members: {
    id: text(),
    graphql_id: text(),
    url: url(),
    web_url: url(),
    name: text(),
    slug: text(),
    pipelines_url: url(),
    agents_url: url(),
    emojis_url: url(),
    created_at: time(),
  },
  columns: [
    { path: 'slug', heading: 'ORGANIZATION' },
    { path: 'name', heading: 'NAME' },
    { path: 'web_url', heading: 'URL' },
    { path: 'created_at', heading: 'AGE', show: 'age' },
  ],
});

export type Organization = ResourceValue<typeof organization>;
