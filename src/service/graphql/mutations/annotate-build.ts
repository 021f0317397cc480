import { putAnnotation } from '../../http/routes/annotations.ts';
import { cursorOf } from '../cursor.ts';
import { annotationNode } from '../nodes/annotation.ts';
import { buildNode } from '../nodes/build.ts';
import type { GraphqlContext } from '../context.ts';
import { buildAt } from './locate.ts';

interface AnnotateInput {
  readonly buildID: string;
  readonly body?: string | null;
  readonly style?: string | null;
  readonly context?: string | null;
  readonly append?: boolean | null;
  readonly priority?: number | null;
}

/** `buildAnnotate`. */
export async function annotateBuild(
  context: GraphqlContext,
  input: AnnotateInput,
): Promise<object> {
  const { build } = buildAt(context, input.buildID);
  const annotation = await putAnnotation(context.service, { buildId: build.id, jobId: null }, () =>
    annotationBody(input),
  );
  const node = annotationNode(annotation);
  return {
    annotation: node,
    annotationEdge: { cursor: cursorOf(annotation.id), node },
    build: () => buildNode(context, build.id),
  };
}

/**
 * As REST takes it, which knows the default style by no name. The schema fills in the defaults: with
 * `append` they count as left out, so that the annotation keeps what it has.
 */
const annotationBody = ({ body, style, context, append, priority }: AnnotateInput): object => ({
  body,
  style: style === 'DEFAULT' ? null : style?.toLowerCase(),
  context,
  append,
  priority: append === true && priority === 3 ? null : priority,
});
