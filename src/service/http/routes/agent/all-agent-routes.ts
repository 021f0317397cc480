import type { Route } from '../../route.ts';
import { absentRoutes } from './absent.ts';
import { agentAnnotationRoutes } from './annotations.ts';
import { agentArtifactRoutes } from './artifacts.ts';
import { controlRoutes } from './control.ts';
import { headerTimesRoute } from './header-times.ts';
import { agentJobRoutes } from './jobs.ts';
import { localJobRoutes } from './local.ts';
import { lockRoutes } from './locks.ts';
import { agentMetaDataRoutes } from './meta-data.ts';
import { agentPipelineRoutes } from './pipelines.ts';
import { promiseRoute } from './promise.ts';
import { agentStepRoutes } from './steps.ts';

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
