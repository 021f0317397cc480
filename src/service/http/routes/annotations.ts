/** Specification, "Annotations". */
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { putAnnotation } from '../bodies/put-annotation.ts';
import { findBuild } from '../lookups.ts';
import { page, sliceOf } from '../pages.ts';
import { presentAnnotation } from '../present/annotation.ts';
import { route, type Route } from '../route.ts';

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
      const shown = annotations.list(build.id, sliceOf(call)).map(presentAnnotation);
      return page(call, annotations.count(build.id), shown);
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
      const annotation = await putAnnotation(service, build.id, () => body);
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
      return empty();
    },
    own,
  ),
];
