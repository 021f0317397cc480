import type { Annotation } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/parts.ts';

export const annotationNode = (annotation: Annotation): object => ({
  __typename: 'Annotation',
  id: graphqlId('Annotation', annotation.id),
  uuid: annotation.id,
  context: annotation.context,
  style: annotation.style.toUpperCase(),
  priority: annotation.priority,
  body: { html: annotation.html, text: annotation.body },
  createdAt: iso(annotation.createdAt),
  updatedAt: iso(annotation.updatedAt),
});
