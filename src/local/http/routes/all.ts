import type { Route } from '../route.ts';
import { accountRoutes } from './admin/accounts.ts';
import { pipelineRoutes } from './admin/pipelines.ts';
import { runRoutes } from './admin/runs.ts';
import { serviceRoutes } from './admin/service.ts';
import { annotationRoutes } from './annotations.ts';
import { buildRoutes } from './builds.ts';
import { graphqlRoutes } from './graphql.ts';
import { imageRoutes } from './images.ts';
import { jobMetaDataRoutes } from './job-meta-data.ts';
import { jobRoutes } from './jobs.ts';
import { logRoutes } from './logs.ts';
import { metricsRoutes } from './metrics.ts';
import { organizationRoutes } from './organizations.ts';
import { ruleRoutes } from './rules.ts';
import { webRoutes } from './web.ts';

/** Everything that the service answers to. */
export const allRoutes: readonly Route[] = [
  ...buildRoutes,
  ...jobRoutes,
  ...jobMetaDataRoutes,
  ...logRoutes,
  ...annotationRoutes,
  ...ruleRoutes,
  ...organizationRoutes,
  ...metricsRoutes,
  ...graphqlRoutes,
  ...serviceRoutes,
  ...accountRoutes,
  ...pipelineRoutes,
  ...runRoutes,
  ...imageRoutes,
  // What they take for an organization is all that is left.
  ...webRoutes,
];
