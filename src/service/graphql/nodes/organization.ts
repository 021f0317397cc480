import { createHash } from 'node:crypto';
import { connection, idOf, nothing, type PageArguments, type Connection } from '../connection.ts';
import {
  visibleOrganizationNode,
  visibleOrganizations,
  visiblePipelineNode,
  type GraphqlContext,
} from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { userNode, userOf } from './user.ts';
import type { Organization, User, Rule } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import { agentsOf, type AgentArguments } from './agents.ts';
import { jobsOf, type JobArguments } from './job.ts';
import { pipelinesOf, type PipelineArguments } from './pipeline.ts';
import type { Member } from '../../store/tables/accounts.ts';

interface ViewerBuilds extends Omit<BuildArguments, 'branch'> {
  readonly branch?: string | null;
}

export function viewerNode(context: GraphqlContext): object {
  const { user } = context.caller;
  return {
    __typename: 'Viewer',
    id: 'viewer',
    user: () => userNode(context, user?.id),
    builds: ({ branch, ...given }: ViewerBuilds) =>
      user === undefined
        ? nothing()
        : buildsOf(context, { creatorId: user.id }, { ...given, branch: branch ? [branch] : null }),
    organizations: (args: PageArguments) =>
      connection(visibleOrganizations(context), args, idOf, (one) =>
        organizationNode(context, one),
      ),
  };
}

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

interface MemberArguments extends PageArguments {
  readonly search?: string | null;
  readonly email?: string | null;
  readonly role?: readonly string[] | null;
  readonly team?: unknown;
  readonly order?: 'NAME' | 'RECENTLY_CREATED' | 'RELEVANCE' | null;
}

/** Newest first. */
function membersOf(
  context: GraphqlContext,
  organization: Organization,
  args: MemberArguments,
): Connection {
  // The service has no teams.
  if (args.team) return nothing();
  const found = context.service.store.accounts
    .members(organization.id)
    .filter((member) => isWanted(member, args))
    .reverse();
  if (args.order === 'NAME') found.sort((a, b) => a.user.name.localeCompare(b.user.name, 'en'));
  return connection(
    found,
    args,
    ({ user }) => user.id,
    (member) => memberNode(context, organization, member),
  );
}

const isWanted = ({ user, role }: Member, args: MemberArguments): boolean =>
  user.name.toLowerCase().includes((args.search ?? '').toLowerCase()) &&
  (!args.email || user.email.toLowerCase() === args.email.toLowerCase()) &&
  (args.role?.includes(role.toUpperCase()) ?? true);

export const memberNode = (
  context: GraphqlContext,
  organization: Organization,
  { user, role }: Member,
): object => ({
  __typename: 'OrganizationMember',
  id: graphqlId('OrganizationMember', memberUuid(organization, user)),
  uuid: memberUuid(organization, user),
  role: role.toUpperCase(),
  complimentary: false,
  // The store does not record when users join.
  createdAt: iso(Math.max(user.createdAt, organization.createdAt)),
  organization: () => context.nodes.organization(context, organization),
  user: () => userOf(context, user),
});

/** Derived from the IDs of the organization and the user, because memberships have no ID. */
export function memberUuid({ id }: Organization, user: User): string {
  const hash = createHash('sha256').update(`${id} ${user.id}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

interface RuleArguments extends PageArguments {
  readonly action?: readonly string[] | null;
  readonly sourceType?: readonly string[] | null;
  readonly targetType?: readonly string[] | null;
}

/** Newest first. */
function rulesOf(context: GraphqlContext, { id }: Organization, args: RuleArguments): Connection {
  const found = context.service.store.rules
    .list(id)
    .filter((rule) => {
      const { source, action, target } = partsOf(rule);
      return (
        (args.action?.includes(action) ?? true) &&
        (args.sourceType?.includes(source) ?? true) &&
        (args.targetType?.includes(target) ?? true)
      );
    })
    .reverse();
  return connection(found, args, idOf, (rule) => ruleNode(context, rule));
}

export function ruleNode(context: GraphqlContext, rule: Rule): object {
  const { source, action, target } = partsOf(rule);
  return {
    __typename: 'Rule',
    id: graphqlId('Rule', rule.id),
    uuid: rule.id,
    type: rule.type,
    description: rule.description ?? null,
    document: JSON.stringify(
      {
        rule: rule.type,
        value: { source_pipeline: rule.sourceId, target_pipeline: rule.targetId },
      },
      null,
      2,
    ),
    source: () => visiblePipelineNode(context, rule.sourceId),
    sourceType: source,
    target: () => visiblePipelineNode(context, rule.targetId),
    targetType: target,
    effect: 'ALLOW',
    action,
    createdBy: () => userNode(context, rule.createdById),
    organization: () => visibleOrganizationNode(context, rule.organizationId),
  };
}

/** Splits `pipeline.trigger_build.pipeline` into source, action and target. */
function partsOf({ type }: Rule) {
  const [source = '', action = '', target = ''] = type.toUpperCase().split('.');
  return { source, action, target };
}
