import { type Route, type RouteMethod, route } from '../route.ts';
import { accountRoutes } from './admin/accounts.ts';
import { agentTokenRoutes, agentProcessRoutes } from './admin/agents.ts';
import { pipelineRoutes } from './admin/pipelines.ts';
import { changeRoutes } from './admin/changes.ts';
import { runRoutes } from './admin/runs.ts';
import { pruneRoutes, serviceRoutes } from './admin/service.ts';
import { secretRoutes } from './admin/secrets.ts';
import { chunkRoute, takenJobRoutes } from './agent/taken-jobs.ts';
import { presenceRoutes, registerRoute } from './agent/presence.ts';
import { agentRoutes } from './agents.ts';
import { annotationRoutes } from './annotations.ts';
import { artifactFileRoutes, artifactRoutes } from './artifacts.ts';
import { buildRoutes } from './builds.ts';
import { imageRoutes } from './images.ts';
import { jobListRoutes, jobRoutes } from './jobs.ts';
import { logRoutes } from './logs.ts';
import { metricsRoutes } from './metrics.ts';
import { organizationRoutes } from './organizations.ts';
import { publicPipelineRoutes } from './pipelines.ts';
import { ruleRoutes } from './rules.ts';
import { snapshotRoutes } from './snapshots.ts';
import { agentAnnotationRoutes } from './agent/annotations.ts';
import { agentArtifactRoutes } from './agent/artifacts.ts';
import {
  controlRoutes,
  headerTimesRoute,
  agentJobRoutes,
  localJobRoutes,
  promiseRoute,
} from './agent/jobs.ts';
import { lockRoutes } from './agent/locks.ts';
import { agentMetaDataRoutes } from './agent/meta-data.ts';
import { agentPipelineRoutes } from './agent/pipelines.ts';
import { agentStepRoutes } from './agent/steps.ts';
import { ApiError } from '../api-error.ts';
import { jobRoute } from './agent/job-route.ts';

// What agents may call, but this service does not support.

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

/** All routes of `buildkite-agent` within a job. */
const allAgentRoutes: readonly Route[] = [
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

/** Newer agents try to open a stream once; this response makes them poll. */
const pingStreamRoutes: readonly Route[] = [
  route('POST', '/agentedge.v1.AgentEdgeService/:method', { audience: 'open' }, () => {
    throw new ApiError(404, 'Not Found');
  }),
];

/** All routes except GraphQL (`graphql/routes.ts`) and the pages (`service/pages`). */
export const restRoutes: readonly Route[] = [
  ...buildRoutes,
  ...jobRoutes,
  ...jobListRoutes,
  ...artifactRoutes,
  ...artifactFileRoutes,
  ...snapshotRoutes,
  ...agentRoutes,
  ...publicPipelineRoutes,
  ...allAgentRoutes,
  registerRoute,
  ...presenceRoutes,
  ...takenJobRoutes,
  chunkRoute,
  ...logRoutes,
  ...annotationRoutes,
  ...ruleRoutes,
  ...organizationRoutes,
  ...metricsRoutes,
  ...serviceRoutes,
  ...pruneRoutes,
  ...accountRoutes,
  ...agentTokenRoutes,
  ...secretRoutes,
  ...pipelineRoutes,
  ...runRoutes,
  ...changeRoutes,
  ...agentProcessRoutes,
  ...imageRoutes,
  ...pingStreamRoutes,
];
