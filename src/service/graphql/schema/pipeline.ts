import { buildFilters, connectionOf, jobFilters, page } from './parts.ts';

export const pipelineSchema = /* GraphQL */ `
  type Pipeline implements Node {
    id: ID!
    uuid: String!
    name: String!
    slug: String!
    url: String!
    badgeURL: String!
    description: String
    "Null without permission to edit the pipeline"
    webhookURL: String
    emoji: String
    color: String
    defaultBranch: String
    branchConfiguration: String
    commitShortLength: Int!
    repository: Repository
    cloneMirrorUrl: String
    steps: PipelineSteps
    tags: [PipelineTag!]!
    archived: Boolean!
    archivedAt: DateTime
    archivedBy: User
    favorite: Boolean!
    public: Boolean! @deprecated(reason: "Use \`visibility\`")
    visibility: PipelineVisibility!
    allowRebuilds: Boolean
    cancelIntermediateBuilds: Boolean!
    cancelIntermediateBuildsBranchFilter: String
    skipIntermediateBuilds: Boolean!
    skipIntermediateBuildsBranchFilter: String
    defaultTimeoutInMinutes: Int
    maximumTimeoutInMinutes: Int
    createdAt: DateTime
    createdBy: User
    organization: Organization!
    cluster: Cluster
    pipelineTemplate: PipelineTemplate
    builds(
      ${page}
      ${buildFilters}
      commit: [String!]
      createdAtFrom: DateTime
      createdAtTo: DateTime
    ): BuildConnection
    jobs(${page}, ${jobFilters}, order: JobOrder = RECENTLY_CREATED): JobConnection
    metrics(first: Int, last: Int): PipelineMetricConnection
    teams(${page}, order: TeamPipelineOrder = RECENTLY_CREATED, search: String): TeamPipelineConnection
  }
  ${connectionOf('Pipeline')}

  enum PipelineOrders {
    NAME
    NAME_WITH_FAVORITES_FIRST
    RECENTLY_CREATED
    RELEVANCE
  }
  enum PipelineVisibility {
    PRIVATE
    PUBLIC
  }
`;
