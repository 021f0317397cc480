/** Beyond the specification: artifacts, of which there are none yet. */
import { json, type RouteResponse } from '../response.ts';
import { notFound } from '../api-error.ts';
import { findBuild, findJob } from '../lookups.ts';
import { pageOf } from '../pages.ts';
import { route, type Call, type Route } from '../route.ts';
import { jobPaths } from './jobs.ts';

const ofBuild = '/v2/organizations/:org/pipelines/:pipeline/builds/:number/artifacts';
const scope = 'read_artifacts';

export const artifactRoutes: readonly Route[] = [
  route('GET', ofBuild, scope, (call, service) => {
    findBuild(service, call);
    return none(call);
  }),
  ...jobPaths().flatMap((path) => [
    route('GET', `${path}/artifacts`, scope, (call, service) => {
      findJob(service, call);
      return none(call);
    }),
    route('GET', `${path}/artifacts/:artifact`, scope, (call, service) => {
      findJob(service, call);
      throw notFound('artifact');
    }),
  ]),
];

const none = (call: Call): RouteResponse => pageOf(call, [], json);
