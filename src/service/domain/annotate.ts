/** Annotations of a build: at most one for each context (specification, "Annotation"). */
import type { Annotation, AnnotationStyle } from './records.ts';
import { Refusal } from './refusal.ts';

export interface NewAnnotation {
  readonly body: string;
  readonly style: AnnotationStyle | undefined;
  readonly priority: number | undefined;
  readonly context: string;
  readonly append: boolean;
}

/** The build, or one job of it. */
export interface AnnotationOwner {
  readonly buildId: string;
  readonly jobId: string | null;
}

/** 1 MiB, in bytes. */
const maxBody = 1024 * 1024;

/**
 * What becomes of the annotation with this context: made, replaced, or appended to. Id and time of
 * creation stay; `append` keeps style and priority where none is given.
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

/** Sources join on a line of their own, so that list items and table rows go on. */
const join = (before: string, more: string): string =>
  before === '' || before.endsWith('\n') ? before + more : `${before}\n${more}`;
