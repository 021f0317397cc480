import { connectionOf, jobFilters, own, page } from './parts.ts';

export const organizationSchema = /* GraphQL */ `
  type Organization implements Node {
    id: ID!
    uuid: String!
    name: String!
    slug: String!
    iconUrl: String
    public: Boolean!
    isTeamsEnabled: Boolean!
    membersRequireTwoFactorAuthentication: Boolean!
    allowedApiIpAddresses: String
    createdAt: DateTime ${own}
    pipelines(
      ${page}
      archived: Boolean
      search: String
      repository: PipelineRepositoryInput
      order: PipelineOrders = RECENTLY_CREATED
      favorite: Boolean
      tags: [String!]
      team: TeamSelector
      cluster: ID
      clustered: Boolean = true
      createdAtFrom: DateTime
      createdAtTo: DateTime
    ): PipelineConnection
    jobs(
      ${page}
      ${jobFilters}
      order: JobOrder = RECENTLY_CREATED
      cluster: ID
      clusterQueue: [ID!]
      clustered: Boolean = true
      createdAtFrom: DateTime
      createdAtTo: DateTime
      finishedAt: DateTime
    ): JobConnection
    agents(
      ${page}
      search: String
      metaData: [String!]
      isRunningJob: Boolean
      paused: Boolean
      cluster: ID
      clusterQueue: [ID!]
      clustered: Boolean = true
    ): AgentConnection
    members(
      ${page}
      search: String
      email: String
      role: [OrganizationMemberRole!]
      team: TeamSelector
      order: OrganizationMemberOrder = RECENTLY_CREATED
    ): OrganizationMemberConnection
    rules(
      ${page}
      action: [RuleAction!]
      sourceType: [RuleSourceType!]
      targetType: [RuleTargetType!]
      order: RuleOrder = RECENTLY_CREATED
    ): RuleConnection
    teams(${page}, search: String): TeamConnection
    clusters(${page}): ClusterConnection
    cluster(id: ID!): Cluster
  }
  ${connectionOf('Organization')}
`;
