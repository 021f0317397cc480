import { resource, text, texts, url, type ResourceValue } from './resource.ts';

export const emoji = resource({
  name: 'emoji',
  plural: 'emojis',
  identity: ['name'],
  members: { name: text(), url: url(), aliases: texts() },
  columns: [
    { path: 'name', heading: 'NAME' },
    { path: 'aliases', heading: 'ALIASES' },
    { path: 'url', heading: 'URL' },
  ],
});

export type Emoji = ResourceValue<typeof emoji>;
