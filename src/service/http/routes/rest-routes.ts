import { open, type Route, type RouteMethod, route } from '../route.ts';
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
import { agentJobRoutes } from './agent/jobs.ts';
import { lockRoutes } from './agent/locks.ts';
import { agentMetaDataRoutes } from './agent/meta-data.ts';
import { agentPipelineRoutes } from './agent/pipelines.ts';
import { agentStepRoutes } from './agent/steps.ts';
import { ApiError } from '../api-error.ts';
import { jobRoute } from './agent/job-route.ts';

// Agent requests that this service does not support.

const registryActions = [
  ...(['', '/peek'] as const).map((action) => ['GET', action] as const),
  ...(['/peek', '/retrieve', '/expire'] as const).map((action) => ['POST', action] as const),
  ...(['/store', '/commit'] as const).map((action) => ['PUT', action] as const),
];

const absent = (method: RouteMethod, path: string, message: string): Route =>
  jobRoute(method, path, () => {
    throw new ApiError(404, message);
  });

const absentRoutes: readonly Route[] = [
  ...registryActions.map(([method, action]) =>
    absent(method, `/v3/cache_registries/:registry${action}`, 'Cache registry not found'),
  ),
  ...['repository_access_token', 'github_code_access_token'].map((name) =>
    absent('POST', `/v3/jobs/:job/${name}`, 'This service stores no repository credentials'),
  ),
];

/** Newer agents try once to open a stream. After this response, they poll instead. */
const pingStreamRoute = route('POST', '/agentedge.v1.AgentEdgeService/:method', open, () => {
  throw new ApiError(404, 'Not Found');
});

/** All routes except the GraphQL routes (`graphql/routes.ts`) and the pages (`service/pages`). */
export const restRoutes: readonly Route[] = [
  ...buildRoutes,
  ...jobRoutes,
  ...jobListRoutes,
  ...artifactRoutes,
  ...artifactFileRoutes,
  ...snapshotRoutes,
  ...agentRoutes,
  ...publicPipelineRoutes,
  ...agentAnnotationRoutes,
  ...agentArtifactRoutes,
  ...agentMetaDataRoutes,
  ...agentPipelineRoutes,
  ...agentStepRoutes,
  ...agentJobRoutes,
  ...lockRoutes,
  ...absentRoutes,
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
  pingStreamRoute,
];
