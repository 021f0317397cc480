/**
 * The schema, with the names and types of the public service; `own` marks what that one does not
 * have. Each file of `schema/` has what belongs to one resource.
 */
import { absentSchema } from './schema/absent.ts';
import { accountSchema } from './schema/accounts.ts';
import { agentSchema } from './schema/agent.ts';
import { buildMutationSchema } from './schema/build-mutations.ts';
import { buildPartsSchema } from './schema/build-parts.ts';
import { buildSchema } from './schema/build.ts';
import { commandSchema } from './schema/command.ts';
import { jobPartsSchema } from './schema/job-parts.ts';
import { jobStateSchema } from './schema/job-states.ts';
import { jobSchema } from './schema/jobs.ts';
import { mutationSchema } from './schema/mutations.ts';
import { organizationSchema } from './schema/organization.ts';
import { pipelinePartsSchema } from './schema/pipeline-parts.ts';
import { pipelineSchema } from './schema/pipeline.ts';
import { rootSchema } from './schema/root.ts';
import { ruleSchema } from './schema/rule.ts';

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
