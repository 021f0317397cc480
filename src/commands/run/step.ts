import { integer, resource, text } from '../../api/resources/resource.ts';

/** What `run --plan` shows of a step. */
export const stepResource = resource({
  name: 'step',
  plural: 'steps',
  members: { line: integer(), type: text(), key: text(), label: text(), command: text() },
  columns: [
    { path: 'line', heading: 'LINE' },
    { path: 'type', heading: 'TYPE' },
    { path: 'key', heading: 'KEY' },
    { path: 'label', heading: 'LABEL' },
    { path: 'command', heading: 'COMMAND' },
  ],
});
