import type { Organization } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import { nothing } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { agentsOf, type AgentArguments } from './agents.ts';
import { jobsOf, type JobArguments } from './jobs.ts';
import { membersOf } from './member.ts';
import { pipelinesOf, type PipelineArguments } from './pipelines.ts';
import { rulesOf, type RuleArguments } from './rule.ts';

export const organizationNode = (context: GraphqlContext, organization: Organization): object => ({
  __typename: 'Organization',
  id: graphqlId('Organization', organization.id),
  uuid: organization.id,
  name: organization.name,
  slug: organization.slug,
  public: false,
  isTeamsEnabled: false,
  membersRequireTwoFactorAuthentication: false,
  createdAt: iso(organization.createdAt),
  pipelines: (args: PipelineArguments) => pipelinesOf(context, organization, args),
  jobs: (args: JobArguments) => jobsOf(context, { organizationId: organization.id }, args),
  agents: (args: AgentArguments) => agentsOf(context, organization, args),
  members: (args: Parameters<typeof membersOf>[2]) => membersOf(context, organization, args),
  rules: (args: RuleArguments) => rulesOf(context, organization, args),
  teams: nothing,
  clusters: nothing,
});
