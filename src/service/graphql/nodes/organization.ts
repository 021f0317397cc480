import type { Organization } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/format.ts';
import { nothing } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { agentsOf, type AgentArguments } from './agents.ts';
import { jobsOf, type JobArguments } from './jobs.ts';
import { membersOf } from './member.ts';
import { pipelinesOf, type PipelineArguments } from './pipelines.ts';
import { rulesOf, type RuleArguments } from './rule.ts';

export const organizationNode = (
  viewpoint: GraphqlContext,
  organization: Organization,
): object => ({
  __typename: 'Organization',
  id: graphqlId('Organization', organization.id),
  uuid: organization.id,
  name: organization.name,
  slug: organization.slug,
  public: false,
  isTeamsEnabled: false,
  membersRequireTwoFactorAuthentication: false,
  createdAt: iso(organization.createdAt),
  pipelines: (given: PipelineArguments) => pipelinesOf(viewpoint, organization, given),
  jobs: (given: JobArguments) => jobsOf(viewpoint, { organizationId: organization.id }, given),
  agents: (given: AgentArguments) => agentsOf(viewpoint, organization, given),
  members: (given: Parameters<typeof membersOf>[2]) => membersOf(viewpoint, organization, given),
  rules: (given: RuleArguments) => rulesOf(viewpoint, organization, given),
  teams: nothing,
  clusters: nothing,
});
