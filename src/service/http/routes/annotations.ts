/** Specification, "Annotations". */
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { putAnnotation } from '../bodies/put-annotation.ts';
import { findBuild } from '../lookups.ts';
import { Elements } from '../json-pieces.ts';
import { pageInTurns, sliceOf } from '../pages.ts';
import { presentAnnotation } from '../present/annotation.ts';
import { route, type Route } from '../route.ts';
import type { ServiceContext } from '../../service-context.ts';

const path = '/v2/organizations/:org/pipelines/:pipeline/builds/:number/annotations';
const own = { jobs: true };

export const annotationRoutes: readonly Route[] = [
  route(
    'GET',
    path,
    'read_builds',
    (call, service) => {
      const { build } = findBuild(service, call);
      const { annotations } = service.store;
      const found = annotations.ids(build.id, sliceOf(call));
      return pageInTurns(call, annotations.count(build.id), new Elements(present(service, found)));
    },
    own,
  ),
  route(
    'POST',
    path,
    'write_builds',
    async (call, service) => {
      const { build } = findBuild(service, call);
      const body = await call.body();
      const annotation = await putAnnotation(
        service,
        { buildId: build.id, jobId: null },
        () => body,
      );
      return json(presentAnnotation(annotation), 201);
    },
    own,
  ),
  // Beyond the specification.
  route(
    'DELETE',
    `${path}/:annotation`,
    'write_builds',
    (call, service) => {
      const { build } = findBuild(service, call);
      if (!service.store.annotations.remove(build.id, call.params.annotation))
        throw notFound('annotation');
      service.engine.feed.note(build.id, []);
      return empty();
    },
    own,
  ),
];

/** One after another, as they are written; one may have been removed meanwhile. */
function* present({ store }: ServiceContext, ids: readonly string[]): Generator {
  for (const id of ids) {
    const annotation = store.annotations.byId(id);
    if (annotation !== undefined) yield presentAnnotation(annotation);
  }
}
