/** The local service as `local up` and `local status` show it: without any token. */
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
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';

/** What jobs ask of an agent that nobody is. */
const waitingTags = resource({
  name: 'waiting for agents',
  plural: 'waiting for agents',
  members: { tags: texts(), jobs: integer() },
  columns: [
    { path: 'tags', heading: 'NO AGENT HAS' },
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

/** What `local open` has opened: `url` signs in and leads to `page`. */
export const openedPage = resource({
  name: 'page',
  plural: 'pages',
  members: { url: url(), page: url() },
  columns: [{ path: 'url', heading: 'URL' }],
});

/** The address, alone in a pipe, so that a script can take it as it is. */
export const printUp = ({ url }: { readonly url: string }, { out }: Context): Promise<void> =>
  out.format === 'table' || out.format === 'tsv'
    ? out.line(url)
    : out.one(localService, { url, profile: 'local' });

/** Code 9, as for any service that cannot be reached. */
export const notRunning = (): CictlError =>
  new CictlError('unreachable', 'the local service is not running', { hint: 'cictl local up' });

// A pipeline of the local service, as its own routes give it.

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

/** A registration token as it is listed: without the token itself. */
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

/** A secret as it is listed: its name alone, for a value is shown nowhere. */
export const localSecret = resource({
  name: 'secret',
  plural: 'secrets',
  members: { key: text(), updated_at: time() },
  columns: [{ path: 'key', heading: 'NAME' }],
});
