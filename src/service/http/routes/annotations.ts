// See "Annotations" in the specification.
import { isDeepStrictEqual } from 'node:util';
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { findBuild } from '../lookups.ts';
import { Elements } from '../json-in-turns.ts';
import { pageInTurns, sliceOf } from '../paging.ts';
import { route, type Route } from '../route.ts';
import type { ServiceContext } from '../../service-context.ts';
import { annotate, type AnnotationOwner, type NewAnnotation } from '../../domain/annotate.ts';
import { annotationStyles, type Annotation } from '../../domain/records.ts';
import { bodyReader } from '../body-reader.ts';
import { renderOffThread } from '../render-off-thread.ts';
import { iso } from '../present/scalars.ts';

export const presentAnnotation = (annotation: Annotation): object => ({
  id: annotation.id,
  context: annotation.context,
  style: annotation.style,
  scope: annotation.jobId === undefined ? 'build' : 'job',
  ...(annotation.jobId !== undefined && { job_id: annotation.jobId }),
  priority: annotation.priority,
  body_html: annotation.html,
  created_at: iso(annotation.createdAt),
  updated_at: iso(annotation.updatedAt),
});

const path = '/v2/organizations/:org/pipelines/:pipeline/builds/:number/annotations';
const read = { scope: 'read_builds', jobs: true } as const;
const write = { scope: 'write_builds', jobs: true } as const;

export const annotationRoutes: readonly Route[] = [
  route('GET', path, read, (call, service) => {
    const { build } = findBuild(service, call);
    const { annotations } = service.store;
    const found = annotations.ids(build.id, sliceOf(call));
    return pageInTurns(call, annotations.count(build.id), new Elements(present(service, found)));
  }),
  route('POST', path, write, async (call, service) => {
    const { build } = findBuild(service, call);
    const body = await call.body();
    const owner = { buildId: build.id, jobId: null };
    return json(presentAnnotation(await putAnnotation(service, owner, () => body)), 201);
  }),
  // Beyond the specification.
  route('DELETE', `${path}/:annotation`, write, (call, service) => {
    const { build } = findBuild(service, call);
    if (!service.store.annotations.remove(build.id, call.params.annotation))
      throw notFound('annotation');
    service.engine.feed.note(build.id, []);
    return empty();
  }),
];

/** Reads each annotation just before it is sent. Some may have been removed in the meantime. */
function* present({ store }: ServiceContext, ids: readonly string[]): Generator {
  for (const id of ids) {
    const annotation = store.annotations.byId(id);
    if (annotation !== undefined) yield presentAnnotation(annotation);
  }
}

/** Starts over if the annotation has changed during rendering. Throws `ApiError` 422. */
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
  const members = bodyReader(body);
  const annotation: NewAnnotation = {
    body: members.required('body'),
    style: members.choice('style', annotationStyles),
    priority: members.integer('priority'),
    context: members.text('context') ?? 'default',
    append: members.flag('append'),
  };
  const { priority = 3, context } = annotation;
  if (priority < 1 || priority > 10)
    members.reject('priority', 'priority must be between 1 and 10');
  if (context === '') members.reject('context');
  if (/^.{101}/su.test(context))
    members.reject('context', 'context must have at most 100 characters', 'too_long');
  members.done();
  return annotation;
}
