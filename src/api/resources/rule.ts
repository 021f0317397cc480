import { json, one, resource, text, time, url, type ResourceValue } from './resource.ts';
import { user } from './user.ts';

/** Specification, "Rule". Newer responses also carry `description` and `value`. */
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
    description: text(),
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
  columns: [
    // Two UUIDs are all that 80 columns hold.
    { path: 'uuid', heading: 'UUID', priority: 0 },
    { path: 'type', heading: 'TYPE', priority: 2 },
    { path: 'source_uuid', heading: 'SOURCE', priority: 3 },
    { path: 'target_uuid', heading: 'TARGET', priority: 1 },
    { path: 'effect', heading: 'EFFECT', priority: 4 },
    { path: 'created_at', heading: 'CREATED', priority: 5 },
  ],
});

export type Rule = ResourceValue<typeof rule>;
