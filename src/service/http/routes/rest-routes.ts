import type { Route } from '../route.ts';
import { accountRoutes } from './admin/accounts.ts';
import { agentTokenRoutes, agentProcessRoutes } from './admin/agents.ts';
import { pipelineRoutes } from './admin/pipelines.ts';
import { changeRoutes } from './admin/changes.ts';
import { runRoutes } from './admin/runs.ts';
import { pruneRoutes } from './admin/prune.ts';
import { secretRoutes } from './admin/secrets.ts';
import { serviceRoutes } from './admin/service.ts';
import { allAgentRoutes, pingStreamRoutes } from './agent/all-agent-routes.ts';
import { chunkRoute } from './agent/log-chunks.ts';
import { takenJobRoutes } from './agent/taken-jobs.ts';
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
