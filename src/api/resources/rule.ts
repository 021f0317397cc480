import { describeRule } from './describe.ts';
import {
  columnsAt,
  json,
  one,
  prose,
  resource,
  text,
  time,
  url,
  type ResourceValue,
} from './resource.ts';
import { user } from './user.ts';

/** Truncated at the start, because pipeline UUIDs created in the same hour start alike. */
const pipelineLayout = { keeps: 'end', stays: true, least: 36 } as const;

/** spec.md, "Rule". Newer responses also have `description` and `value`. */
export const rule = resource({
  name: 'rule',
  plural: 'rules',
  references: ['uuid'],
  identity: ['uuid', 'type'],
  members: {
    uuid: text(),
    graphql_id: text(),
    organization_uuid: text(),
    url: url(),
    type: text(),
    description: prose(),
    value: json(),
    source_type: text(),
    source_uuid: text(),
    target_type: text(),
    target_uuid: text(),
    effect: text(),
    action: text(),
    created_at: time(),
    created_by: one(user),
  },
  describe: describeRule,
  columns: [
    // Only two UUIDs fit into 80 columns.
    { path: 'type', heading: 'TYPE', priority: 2 },
    { path: 'source_uuid', heading: 'SOURCE', ...pipelineLayout, priority: 0 },
    { path: 'target_uuid', heading: 'TARGET', ...pipelineLayout, priority: 1 },
    { path: 'effect', heading: 'EFFECT', priority: 3 },
    { path: 'created_at', heading: 'AGE', show: 'age', priority: 4 },
    { path: 'uuid', heading: 'UUID', givesWay: true, isSpare: true, priority: 5 },
  ],
  tsv: columnsAt('uuid', 'type', 'source_uuid', 'target_uuid', 'effect', 'created_at'),
});

export type Rule = ResourceValue<typeof rule>;
