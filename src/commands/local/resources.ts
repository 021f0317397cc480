import {
  integer,
  many,
  resource,
  text,
  texts,
  url,
  boolean,
  time,
} from '../../api/resources/resource.ts';

/** Tags that waiting jobs need but no agent has. */
const waitingTags = resource({
  name: 'waiting for agents',
  plural: 'waiting for agents',
  members: { tags: texts(), jobs: integer() },
  columns: [
    { path: 'tags', heading: 'MISSING TAGS' },
    { path: 'jobs', heading: 'JOBS' },
  ],
});

export const localService = resource({
  name: 'service',
  plural: 'services',
  members: {
    url: url(),
    pid: integer(),
    slots: integer(),
    tags: texts(),
    listen: url(),
    public_url: url(),
    agents: integer(),
    running: integer(),
    scheduled: integer(),
    waiting_for_agents: many(waitingTags),
    keep: text(),
    size: integer(),
    profile: text(),
  },
  columns: [
    { path: 'url', heading: 'URL' },
    { path: 'pid', heading: 'PID' },
    { path: 'slots', heading: 'SLOTS' },
    { path: 'agents', heading: 'AGENTS' },
    { path: 'running', heading: 'RUNNING' },
    { path: 'scheduled', heading: 'SCHEDULED' },
    { path: 'keep', heading: 'KEEP' },
    { path: 'size', heading: 'BYTES' },
  ],
});

/** The output of `local open`. `url` signs in and then redirects to `page`. */
export const openedPage = resource({
  name: 'page',
  plural: 'pages',
  members: { url: url(), page: url() },
  columns: [{ path: 'url', heading: 'URL' }],
});

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

/** A registration token in a list, without its secret value. */
export const agentToken = resource({
  name: 'agent token',
  plural: 'agent tokens',
  members: { uuid: text(), description: text(), created_at: time() },
  columns: [
    { path: 'uuid', heading: 'UUID' },
    { path: 'description', heading: 'DESCRIPTION' },
    { path: 'created_at', heading: 'CREATED', show: 'age' },
  ],
});

export const localSecret = resource({
  name: 'secret',
  plural: 'secrets',
  members: { key: text(), updated_at: time() },
  columns: [{ path: 'key', heading: 'NAME' }],
});
