/** A pipeline of the local service, as its own routes give it. */
import { boolean, resource, text, url } from '../../api/resources/resource.ts';

export const localPipeline = resource({
  name: 'pipeline',
  plural: 'pipelines',
  references: ['slug'],
  members: {
    slug: text(),
    name: text(),
    repository: text(),
    folder: text(),
    file: text(),
    restricted: boolean(),
    web_url: url(),
  },
  columns: [
    { path: 'slug', heading: 'SLUG' },
    { path: 'folder', heading: 'FOLDER' },
    { path: 'restricted', heading: 'RESTRICTED' },
  ],
});
