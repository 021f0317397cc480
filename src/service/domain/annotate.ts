import type { Annotation, AnnotationStyle } from './records.ts';
import { Refusal } from './refusal.ts';

export interface NewAnnotation {
  readonly body: string;
  readonly style: AnnotationStyle | undefined;
  readonly priority: number | undefined;
  readonly context: string;
  readonly append: boolean;
}

/** `jobId` is null if the annotation belongs to the build itself. */
export interface AnnotationOwner {
  readonly buildId: string;
  readonly jobId: string | null;
}

/** In bytes. */
const maxBody = 1024 * 1024;

/**
 * Creates or replaces the annotation of a context, or appends to it (specification, "Annotation").
 * An existing annotation keeps its ID and creation time; with `append`, it also keeps its style and
 * priority unless they are given.
 */
export function annotate(
  before: Annotation | undefined,
  annotation: NewAnnotation,
  { buildId, jobId }: AnnotationOwner,
  at: number,
  newId: () => string,
): Omit<Annotation, 'html'> {
  const kept = annotation.append ? before : undefined;
  const body = kept === undefined ? annotation.body : join(kept.body, annotation.body);
  if (Buffer.byteLength(body) > maxBody)
    throw new Refusal('wrong', 'The annotation body must be less than 1 MB');
  return {
    id: before?.id ?? newId(),
    buildId,
    ...(jobId !== null && { jobId }),
    context: annotation.context,
    style: annotation.style ?? kept?.style ?? 'info',
    priority: annotation.priority ?? kept?.priority ?? 3,
    body,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  };
}

/** Appended text starts on a new line so that it can continue a list or a table. */
const join = (before: string, more: string): string =>
  before === '' || before.endsWith('\n') ? before + more : `${before}\n${more}`;
