/** The caller. */
import { createHash } from 'node:crypto';
import { connection, nothing, type PageArguments, type Connection } from '../connection.ts';
import { visibleOrganizations, type GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { userNode, userOf } from './user.ts';
import type { Organization, User } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import { agentsOf, type AgentArguments } from './agents.ts';
import { jobsOf, type JobArguments } from './job.ts';
import { pipelinesOf, type PipelineArguments } from './pipeline.ts';
import { rulesOf, type RuleArguments } from './rule.ts';
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
      connection(
        visibleOrganizations(context),
        args,
        ({ id }) => id,
        (one) => organizationNode(context, one),
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

/** Who belongs to the organization, the newest first. */
function membersOf(
  context: GraphqlContext,
  organization: Organization,
  args: MemberArguments,
): Connection {
  // There are no teams.
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

/** Since when somebody belongs here is not kept: it is taken to be from the first. */
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
  createdAt: iso(Math.max(user.createdAt, organization.createdAt)),
  organization: () => context.nodes.organization(context, organization),
  user: () => userOf(context, user),
});

/** A membership has no id of its own: this one is made of its two ends. */
export function memberUuid({ id }: Organization, user: User): string {
  const hash = createHash('sha256').update(`${id} ${user.id}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
