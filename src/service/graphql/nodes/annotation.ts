import type { Annotation } from '../../domain/records.ts';
import type { AnnotationHead } from '../../store/annotations.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import { connection, type Connection, type PageArguments } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { mostFields } from '../turns.ts';

export interface AnnotationArguments extends PageArguments {
  readonly style?: readonly string[] | null;
  readonly context?: readonly string[] | null;
  readonly order?: 'PRIORITY_RECENTLY_CREATED' | 'RECENTLY_CREATED' | null;
}

/** Annotations of a build, the newest first or, where asked for, the highest priority first. */
export function annotationsOf(
  { service, turns }: GraphqlContext,
  buildId: string,
  args: AnnotationArguments,
): Connection {
  const { annotations } = service.store;
  const wanted = ({ style, context }: AnnotationHead): boolean =>
    (args.style?.includes(style.toUpperCase()) ?? true) &&
    (args.context?.includes(context) ?? true);
  const byPriority = args.order === 'PRIORITY_RECENTLY_CREATED';
  const found = annotations
    .heads(buildId)
    .filter(wanted)
    .reverse()
    .sort((a, b) => (byPriority && b.priority - a.priority) || b.createdAt - a.createdAt);
  return connection(found, args, keyOf, ({ id }) => {
    turns.count(mostFields);
    const annotation = annotations.byId(id);
    return annotation === undefined ? null : annotationNode(annotation);
  });
}

const keyOf = ({ id }: AnnotationHead): string => id;

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
