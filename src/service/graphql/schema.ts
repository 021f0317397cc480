/**
 * The schema, with the names and types of the public service; `own` marks what that one does not
 * have. Each file of `schema/` has what belongs to one resource.
 */
import {
  absentSchema,
  agentSchema,
  accountSchema,
  organizationSchema,
  ruleSchema,
} from './schema/organizations.ts';
import { buildMutationSchema, mutationSchema, rootSchema } from './schema/root.ts';
import {
  buildPartsSchema,
  buildSchema,
  pipelinePartsSchema,
  pipelineSchema,
} from './schema/builds.ts';
import { commandSchema, jobPartsSchema, jobStateSchema, jobSchema } from './schema/jobs.ts';

export const schemaText = [
  rootSchema,
  mutationSchema,
  buildMutationSchema,
  accountSchema,
  organizationSchema,
  pipelineSchema,
  pipelinePartsSchema,
  buildSchema,
  buildPartsSchema,
  jobSchema,
  commandSchema,
  jobPartsSchema,
  jobStateSchema,
  agentSchema,
  ruleSchema,
  absentSchema,
].join('\n');
