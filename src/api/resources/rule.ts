import { json, one, resource, text, time, url, type Of } from './resource.ts';
import { user } from './user.ts';

/** Specification, "Rule". Newer answers also carry `description` and `value`. */
export const rule = resource({
  name: 'rule',
  plural: 'rules',
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
    { path: 'uuid', heading: 'UUID' },
    { path: 'type', heading: 'TYPE' },
    { path: 'source_uuid', heading: 'SOURCE' },
    { path: 'target_uuid', heading: 'TARGET' },
    { path: 'effect', heading: 'EFFECT' },
    { path: 'created_at', heading: 'CREATED' },
  ],
});

export type Rule = Of<typeof rule>;
