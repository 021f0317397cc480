import { buildFilters, connectionOf, own, jobFilters, page } from './root.ts';

/** Accounts, organizations, rules and agents, and types that have no objects in this service. */
export const organizationSchema = /* GraphQL */ `
  type Viewer implements Node {
    id: ID!
    user: User
    "Builds of the caller"
    builds(first: Int, last: Int, branch: String, metaData: [String!], state: [BuildStates!]): BuildConnection
    organizations(first: Int, last: Int, after: String ${own}, before: String ${own}): OrganizationConnection
  }

  type Avatar { url: String! }

  type User implements Node {
    id: ID!
    uuid: String!
    name: String!
    email: String!
    avatar: Avatar!
    bot: Boolean!
    hasPassword: Boolean!
    createdAt: DateTime ${own}
    builds(
      first: Int
      last: Int
      ${buildFilters}
      after: String ${own}
      before: String ${own}
      commit: [String!] ${own}
    ): BuildConnection
  }

  type UnregisteredUser {
    name: String
    email: String
    avatar: Avatar!
  }

  enum OrganizationMemberRole { ADMIN MEMBER }
  enum OrganizationMemberOrder { NAME RECENTLY_CREATED RELEVANCE }

  type OrganizationMember implements Node {
    id: ID!
    uuid: String!
    role: OrganizationMemberRole!
    complimentary: Boolean!
    createdAt: DateTime!
    createdBy: User
    lastSeenAt: DateTime
    organization: Organization!
    user: User!
  }
  ${connectionOf('OrganizationMember')}

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

  type Rule implements Node {
    id: ID!
    uuid: ID!
    type: String!
    description: String
    "The rule as JSON"
    document: String
    source: RuleSource
    sourceType: RuleSourceType
    target: RuleTarget
    targetType: RuleTargetType
    effect: RuleEffect
    action: RuleAction
    createdBy: User
    organization: Organization
  }
  ${connectionOf('Rule')}

  union RuleSource = Pipeline
  union RuleTarget = Pipeline

  enum RuleSourceType { PIPELINE }
  enum RuleTargetType { PIPELINE }
  enum RuleEffect { ALLOW }
  enum RuleAction { ARTIFACTS_READ TRIGGER_BUILD }
  enum RuleOrder { RECENTLY_CREATED }

  type Agent implements Node {
    id: ID!
    uuid: String!
    name: String!
    hostname: String
    ipAddress: String
    pid: String
    userAgent: String
    version: String
    versionHasKnownIssues: Boolean!
    isDeprecated: Boolean!
    operatingSystem: OperatingSystem
    metaData: [String!]
    priority: Int
    public: Boolean!
    connectionState: String!
    connectedAt: DateTime
    createdAt: DateTime
    disconnectedAt: DateTime
    heartbeatAt: DateTime
    lostAt: DateTime
    isRunningJob: Boolean!
    job: Job
    organization: Organization
    clusterQueue: ClusterQueue
    paused: Boolean!
    pausedAt: DateTime
    pausedBy: User
    pausedNote: String
    pausedTimeoutInMinutes: Int!
  }
  ${connectionOf('Agent')}

  type OperatingSystem { name: String! }

  scalar TeamSelector

  type Team implements Node {
    id: ID!
    uuid: ID!
    name: String!
    slug: String!
  }
  ${connectionOf('Team')}

  enum PipelineAccessLevels { BUILD_AND_READ MANAGE_BUILD_AND_READ READ_ONLY }
  enum TeamPipelineOrder { NAME RECENTLY_CREATED RELEVANCE }
  type TeamPipeline implements Node {
    id: ID!
    uuid: ID!
    accessLevel: PipelineAccessLevels!
    pipeline: Pipeline
    team: Team
  }
  ${connectionOf('TeamPipeline')}

  type Cluster implements Node {
    id: ID!
    uuid: ID!
    name: String!
    description: String
  }
  ${connectionOf('Cluster')}

  type ClusterQueue implements Node {
    id: ID!
    uuid: ID!
    key: String!
    description: String
    cluster: Cluster
  }

  type PipelineTemplate implements Node {
    id: ID!
    uuid: ID!
    name: String!
  }

  type PipelineMetric implements Node {
    id: ID!
    label: ID!
    url: String
    value: String
  }
  ${connectionOf('PipelineMetric')}
`;
