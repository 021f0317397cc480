import { integer, one, resource, text, texts, time, url } from './resource.ts';
import { user } from './user.ts';

/** Specification, "Agent (embedded in a job)"; build lists send only id, url and name. */
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
