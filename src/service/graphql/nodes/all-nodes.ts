/** The objects that others lead back to, for the context of a query. */
import type { Nodes } from '../context.ts';
import { buildNode } from './build.ts';
import { jobNode } from './job.ts';
import { organizationNode } from './organization.ts';
import { pipelineNode } from './pipeline.ts';

export const allNodes: Nodes = {
  organization: organizationNode,
  pipeline: pipelineNode,
  build: buildNode,
  job: jobNode,
};
