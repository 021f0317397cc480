import { resource, text, time } from '../../api/resources/resource.ts';

/** A secret as it is listed: its name alone, for a value is shown nowhere. */
export const localSecret = resource({
  name: 'secret',
  plural: 'secrets',
  members: { key: text(), updated_at: time() },
  columns: [{ path: 'key', heading: 'NAME' }],
});
