/** The body of "create an annotation" (specification, "Annotations"), and what becomes of it. */
import { isDeepStrictEqual } from 'node:util';
import type { ServiceContext } from '../../service-context.ts';
import { annotate, type AnnotationOwner, type NewAnnotation } from '../../domain/annotate.ts';
import { annotationStyles, type Annotation } from '../../domain/records.ts';
import { notFound } from '../api-error.ts';
import { objectOf, bodyReader } from '../body-reader.ts';
import { renderOffThread } from '../render-off-thread.ts';

/**
 * Writes the annotation that the body asks for; `bodyOf` is called again where another has changed it
 * while this one was rendered. Throws `ApiError` 422 with every error of the members, and `Refusal`
 * where it would be too large.
 */
export async function putAnnotation(
  { store, engine, clock, newId }: ServiceContext,
  owner: AnnotationOwner,
  bodyOf: () => unknown,
): Promise<Annotation> {
  const { buildId, jobId } = owner;
  for (;;) {
    const given = readAnnotation(bodyOf());
    const before = store.annotations.find(buildId, given.context, jobId);
    const made = annotate(before, given, owner, clock.now(), newId);
    const annotation = { ...made, html: await renderOffThread(made.body) };
    if (store.builds.byId(buildId) === undefined) throw notFound('build');
    if (!isDeepStrictEqual(before, store.annotations.find(buildId, given.context, jobId))) continue;
    store.annotations.put(annotation);
    engine.feed.note(buildId, []);
    return annotation;
  }
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
