import type { Route } from '../../route.ts';
import { agentAnnotationRoutes } from './annotations.ts';
import { localJobRoutes } from './local.ts';
import { agentMetaDataRoutes } from './meta-data.ts';
import { agentPipelineRoutes } from './pipelines.ts';

/** All that `buildkite-agent` asks for within a job. */
export const allAgentRoutes: readonly Route[] = [
  ...agentAnnotationRoutes,
  ...agentMetaDataRoutes,
  ...agentPipelineRoutes,
  ...localJobRoutes,
];
