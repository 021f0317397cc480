/** The body of "create an annotation" (specification, "Annotations"), and what becomes of it. */
import type { ServiceContext } from '../../service-context.ts';
import { annotate, type NewAnnotation } from '../../domain/annotate.ts';
import { annotationStyles, type Annotation } from '../../domain/records.ts';
import { objectOf, bodyReader } from '../body-reader.ts';

/**
 * Writes the annotation that the body asks for. Throws `ApiError` 422 with every error of the
 * members, and `Refusal` where it would be too large.
 */
export async function putAnnotation(
  { store, clock, newId }: ServiceContext,
  buildId: string,
  body: unknown,
): Promise<Annotation> {
  const given = readAnnotation(body);
  const { renderMarkdown } = await import('../markdown.ts');
  const before = store.annotations.find(buildId, given.context);
  const made = annotate(before, given, buildId, clock.now(), newId);
  const annotation = { ...made, html: renderMarkdown(made.body) };
  store.annotations.put(annotation);
  return annotation;
}

function readAnnotation(body: unknown): NewAnnotation {
  const members = bodyReader(objectOf(body));
  const annotation: NewAnnotation = {
    body: members.required('body'),
    style: members.choice('style', annotationStyles),
    priority: members.integer('priority'),
    context: members.text('context') ?? 'default',
    append: members.flag('append'),
  };
  const { priority = 3, context } = annotation;
  if (priority < 1 || priority > 10)
    members.addError({ field: 'priority', code: 'invalid', message: 'priority must be 1 to 10' });
  if (context === '') members.addError({ field: 'context', code: 'invalid' });
  if (/^.{101}/su.test(context))
    members.addError({
      field: 'context',
      code: 'too_long',
      message: 'context must be at most 100 characters',
    });
  members.done();
  return annotation;
}
