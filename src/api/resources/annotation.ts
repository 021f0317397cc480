import { describeAnnotation } from './describe.ts';
import { integer, resource, text, time, type ResourceValue } from './resource.ts';

export const annotation = resource({
  name: 'annotation',
  plural: 'annotations',
  references: ['context'],
  identity: ['id', 'context'],
  members: {
    id: text(),
    context: text(),
    style: text(),
    priority: integer(),
    body_html: text(),
    created_at: time(),
    updated_at: time(),
  },
  describe: describeAnnotation,
  columns: [
    { path: 'context', heading: 'CONTEXT', stays: true, least: 24, givesWay: true },
    { path: 'style', heading: 'STYLE' },
    { path: 'priority', heading: 'PRIORITY', isSpare: true, priority: 3 },
    { path: 'updated_at', heading: 'AGE', show: 'age', priority: 2 },
    { path: 'id', heading: 'ID', givesWay: true, isSpare: true, priority: 4 },
  ],
});

export type Annotation = ResourceValue<typeof annotation>;
