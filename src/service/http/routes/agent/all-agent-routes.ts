import { type Route, type RouteMethod, route } from '../../route.ts';
import { agentAnnotationRoutes } from './annotations.ts';
import { agentArtifactRoutes } from './artifacts.ts';
import {
  controlRoutes,
  headerTimesRoute,
  agentJobRoutes,
  localJobRoutes,
  promiseRoute,
} from './jobs.ts';
import { lockRoutes } from './locks.ts';
import { agentMetaDataRoutes } from './meta-data.ts';
import { agentPipelineRoutes } from './pipelines.ts';
import { agentStepRoutes } from './steps.ts';
import { ApiError } from '../../api-error.ts';
import { jobRoute } from './job-route.ts';

// What agents may ask for and this service does not have.

const registry = '/v3/cache_registries/:registry';

const absent: readonly [method: RouteMethod, path: string, message: string][] = [
  ...(
    [
      ['GET', ''],
      ['GET', '/peek'],
      ['POST', '/peek'],
      ['POST', '/retrieve'],
      ['POST', '/expire'],
      ['PUT', '/store'],
      ['PUT', '/commit'],
    ] as const
  ).map(([method, action]): [RouteMethod, string, string] => [
    ...([method, `${registry}${action}`, 'Cache registry not found'] as const),
  ]),
  ...['repository_access_token', 'github_code_access_token'].map(
    (name): [RouteMethod, string, string] => [
      ...([
        'POST',
        `/v3/jobs/:job/${name}`,
        'No credentials for repositories are kept here',
      ] as const),
    ],
  ),
];

const absentRoutes: readonly Route[] = absent.map(([method, path, message]) =>
  jobRoute(method, path, () => {
    throw new ApiError(404, message);
  }),
);

/** All that `buildkite-agent` asks for within a job. */
export const allAgentRoutes: readonly Route[] = [
  ...agentAnnotationRoutes,
  ...agentArtifactRoutes,
  ...agentMetaDataRoutes,
  ...agentPipelineRoutes,
  ...agentStepRoutes,
  ...agentJobRoutes,
  promiseRoute,
  ...localJobRoutes,
  ...lockRoutes,
  headerTimesRoute,
  ...controlRoutes,
  ...absentRoutes,
];

/** Newer agents ask for a stream once, and by this response know that they are to poll. */
export const pingStreamRoutes: readonly Route[] = [
  route(
    'POST',
    '/agentedge.v1.AgentEdgeService/:method',
    null,
    () => {
      throw new ApiError(404, 'Not Found');
    },
    { audience: 'open' },
  ),
];
