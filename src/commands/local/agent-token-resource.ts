import { resource, text, time } from '../../api/resources/resource.ts';

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
