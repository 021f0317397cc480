import {
  integer,
  one,
  resource,
  text,
  texts,
  time,
  url,
  boolean,
  columnsAt,
  json,
  type ResourceValue,
} from './resource.ts';
import { user } from './user.ts';

/** spec.md, "Agent (embedded in a job)". Build lists contain only `id`, `url` and `name`. */
export const agent = resource({
  name: 'agent',
  plural: 'agents',
  members: {
    id: text(),
    graphql_id: text(),
    url: url(),
    web_url: url(),
    name: text(),
    connection_state: text(),
    hostname: text(),
    ip_address: text(),
    user_agent: text(),
    version: text(),
    priority: integer(),
    meta_data: texts(),
    creator: one(user),
    created_at: time(),
  },
  columns: [
    { path: 'id', heading: 'ID' },
    { path: 'name', heading: 'NAME' },
    { path: 'connection_state', heading: 'STATE' },
    { path: 'hostname', heading: 'HOST' },
  ],
});

type Members = Readonly<Record<string, unknown>>;

/** An agent in a list: includes its job and, from the local service, when it was last seen. */
export const listedAgent = resource({
  name: 'agent',
  plural: 'agents',
  references: ['name'],
  identity: ['id', 'name'],
  members: {
    ...agent.members,
    job: json(),
    last_job_finished_at: time(),
    paused: boolean(),
    paused_at: time(),
    paused_by: one(user),
    paused_note: text(),
    paused_timeout_in_minutes: integer(),
    last_seen_at: time(),
  },
  computed: { state: agentState, job_reference: jobReference },
  columns: [
    { path: 'name', heading: 'NAME', stays: true, priority: 0 },
    { path: 'connection_state', heading: 'STATE', show: 'words', text: agentState, priority: 1 },
    { path: 'meta_data', heading: 'TAGS', least: 16, priority: 2 },
    { path: 'job.id', heading: 'JOB', text: jobReference, least: 16, priority: 3 },
    { path: 'version', heading: 'VERSION', priority: 6 },
    { path: 'hostname', heading: 'HOST', priority: 5 },
    { path: 'last_seen_at', heading: 'SEEN', show: 'age', priority: 4 },
  ],
  tsv: columnsAt(
    ...['name', 'state', 'meta_data', 'job_reference', 'version', 'hostname', 'last_seen_at', 'id'],
  ),
});

export type ListedAgent = ResourceValue<typeof listedAgent>;

/** `idle`, `busy` or `paused` while connected, otherwise the connection state. */
export function agentState({ connection_state, paused, job }: Members): string | undefined {
  if (typeof connection_state !== 'string') return undefined;
  if (connection_state !== 'connected') return connection_state;
  if (paused === true) return 'paused';
  return isObject(job) ? 'busy' : 'idle';
}

/** Returns the agent's job in the form that commands accept: `web/7#unit` */
export function jobReference({ job }: Members): string | undefined {
  if (!isObject(job)) return undefined;
  const { id, step_key: key, build_url: url } = job;
  const [, slug, number] = /\/pipelines\/([^/]+)\/builds\/(\d+)$/.exec(String(url)) ?? [];
  const name = typeof key === 'string' && key !== '' ? key : id;
  return typeof name === 'string' && slug !== undefined
    ? `${slug}/${number ?? ''}#${name}`
    : undefined;
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
