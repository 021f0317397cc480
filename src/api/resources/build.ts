import { describeBuild } from './describe.ts';
import { durationOf } from './duration.ts';
import { job } from './job.ts';
import { pipeline } from './pipeline.ts';
import {
  boolean,
  columnsAt,
  integer,
  json,
  many,
  map,
  one,
  prose,
  resource,
  state,
  text,
  time,
  url,
  words,
  type ResourceValue,
} from './resource.ts';
import { statusOf } from './states.ts';
import { user } from './user.ts';

const titleOf = ({ message }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof message === 'string' ? message.trimStart().split('\n', 1)[0] : undefined;

/** spec.md, "Build". If `blocked` is true, `state` keeps its last value. */
export const build = resource({
  name: 'build',
  plural: 'builds',
  references: ['number'],
  identity: ['number', 'id'],
  members: {
    id: text(),
    graphql_id: text(),
    url: url(),
    web_url: url(),
    number: integer(),
    state: state(),
    cancel_reason: text(),
    blocked: boolean(),
    blocked_state: text(),
    message: prose(),
    commit: text(),
    branch: text(),
    tag: text(),
    env: map(),
    source: text(),
    author: json(),
    creator: one(user),
    jobs: many(job),
    created_at: time(),
    scheduled_at: time(),
    started_at: time(),
    finished_at: time(),
    meta_data: map(),
    pull_request: json(),
    rebuilt_from: json(),
    triggered_from: json(),
    cluster_id: text(),
    cluster_url: url(),
    pipeline: one(pipeline),
  },
  describe: describeBuild,
  computed: { duration: durationOf, status: statusOf },
  columns: [
    { path: 'state', heading: '', show: 'glyph', priority: 1 },
    { path: 'number', heading: '#', priority: 0 },
    { path: 'state', heading: 'STATE', show: 'words', priority: 2 },
    { path: 'branch', heading: 'BRANCH', keeps: 'end', least: 8, priority: 3 },
    { path: 'message', heading: 'MESSAGE', text: titleOf, priority: 6 },
    { path: 'duration', heading: 'TOOK', show: 'took', priority: 4 },
    { path: 'creator.name', or: 'author.name', heading: 'BY', firstWord: true, priority: 7 },
    { path: 'created_at', heading: 'AGE', show: 'age', priority: 5 },
  ],
  tsv: columnsAt(
    ...['number', 'state', 'branch', 'message', 'creator.name', 'created_at', 'duration'],
  ),
  detail: words(`number state pipeline.slug branch commit message source creator.name cancel_reason
    rebuilt_from.number created_at started_at finished_at web_url id`),
});

export type Build = ResourceValue<typeof build>;

export const creatorOf = ({ creator, author }: Build): string | undefined =>
  creator?.name ?? memberText(author, 'name');

export const pullRequestOf = ({ pull_request: value }: Build): string | undefined =>
  memberText(value, 'id');

/** Reads a field of an object whose shape differs between services. */
export function memberText(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Readonly<Record<string, unknown>>)[name];
  const isText = typeof found === 'string' || typeof found === 'number';
  return isText && found !== '' ? String(found) : undefined;
}
