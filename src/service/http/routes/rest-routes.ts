import type { Route } from '../route.ts';
import { accountRoutes } from './admin/accounts.ts';
import { agentTokenRoutes } from './admin/agent-tokens.ts';
import { agentProcessRoutes } from './admin/agents.ts';
import { pipelineRoutes } from './admin/pipelines.ts';
import { changeRoutes } from './admin/changes.ts';
import { runRoutes } from './admin/runs.ts';
import { pruneRoutes } from './admin/prune.ts';
import { secretRoutes } from './admin/secrets.ts';
import { serviceRoutes } from './admin/service.ts';
import { allAgentRoutes } from './agent/all-agent-routes.ts';
import { chunkRoute } from './agents-protocol/chunks.ts';
import { takenJobRoutes } from './agents-protocol/jobs.ts';
import { presenceRoutes } from './agents-protocol/presence.ts';
import { registerRoute } from './agents-protocol/register.ts';
import { agentRoutes } from './agents.ts';
import { annotationRoutes } from './annotations.ts';
import { artifactFileRoutes } from './artifact-files.ts';
import { artifactRoutes } from './artifacts.ts';
import { buildRoutes } from './builds.ts';
import { imageRoutes } from './images.ts';
import { jobListRoutes } from './job-list.ts';
import { jobRoutes } from './jobs.ts';
import { logRoutes } from './logs.ts';
import { metricsRoutes } from './metrics.ts';
import { organizationRoutes } from './organizations.ts';
import { pingStreamRoutes } from './ping-stream.ts';
import { publicPipelineRoutes } from './pipelines.ts';
import { ruleRoutes } from './rules.ts';
import { snapshotRoutes } from './snapshots.ts';

/** All routes but GraphQL and the pages, which are above them (`graphql/routes.ts`, `service/pages`). */
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
