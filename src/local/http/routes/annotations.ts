/** Specification, "Annotations". */
import { annotate, type NewAnnotation } from '../../domain/annotate.ts';
import { annotationStyles } from '../../domain/records.ts';
import { empty, json } from '../answer.ts';
import { notFound } from '../api-error.ts';
import { findBuild } from '../lookups.ts';
import { page, sliceOf } from '../pages.ts';
import { presentAnnotation } from '../present/others.ts';
import { route, type Route } from '../route.ts';
import { objectOf, reader } from '../validate.ts';

const path = '/v2/organizations/:org/pipelines/:pipeline/builds/:number/annotations';
const own = { jobs: true };

export const annotationRoutes: readonly Route[] = [
  route(
    'GET',
    path,
    'read_builds',
    (call, core) => {
      const { build } = findBuild(core, call);
      const { notes } = core.store;
      const shown = notes.annotations(build.id, sliceOf(call)).map(presentAnnotation);
      return page(call, notes.countAnnotations(build.id), shown);
    },
    own,
  ),
  route(
    'POST',
    path,
    'write_builds',
    async (call, core) => {
      const { build } = findBuild(core, call);
      const given = readAnnotation(await call.body());
      const { renderMarkdown } = await import('../markdown.ts');
      const { notes } = core.store;
      const before = notes.annotation(build.id, given.context);
      const made = annotate(before, given, build.id, core.clock.now(), core.newId);
      const annotation = { ...made, html: renderMarkdown(made.body) };
      notes.putAnnotation(annotation);
      return json(presentAnnotation(annotation), 201);
    },
    own,
  ),
  // Beyond the specification.
  route(
    'DELETE',
    `${path}/:annotation`,
    'write_builds',
    (call, core) => {
      const { build } = findBuild(core, call);
      if (!core.store.notes.removeAnnotation(build.id, call.params.annotation))
        throw notFound('annotation');
      return empty();
    },
    own,
  ),
];

function readAnnotation(body: unknown): NewAnnotation {
  const members = reader(objectOf(body));
  const annotation: NewAnnotation = {
    body: members.required('body'),
    style: members.choice('style', annotationStyles),
    priority: members.integer('priority'),
    context: members.text('context') ?? 'default',
    append: members.flag('append'),
  };
  const { priority = 3, context } = annotation;
  if (priority < 1 || priority > 10)
    members.fault({ field: 'priority', code: 'invalid', message: 'priority must be 1 to 10' });
  if (context === '') members.fault({ field: 'context', code: 'invalid' });
  if (/^.{101}/su.test(context))
    members.fault({
      field: 'context',
      code: 'too_long',
      message: 'context must be at most 100 characters',
    });
  members.done();
  return annotation;
}
