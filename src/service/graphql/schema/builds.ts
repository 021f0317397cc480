import { buildFilters, connectionOf, jobFilters, page, own } from './root.ts';

const sources = ['API', 'Frontend', 'Schedule', 'TriggerJob', 'Webhook'];

export const buildSchema = /* GraphQL */ `
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

  enum PipelineOrders { NAME NAME_WITH_FAVORITES_FIRST RECENTLY_CREATED RELEVANCE }
  enum PipelineVisibility { PRIVATE PUBLIC }

  input PipelineRepositoryInput { url: String! }

  type PipelineSteps { yaml: YAML }

  type PipelineTag { label: String! }

  type Repository {
    url: String!
    provider: RepositoryProvider
  }

  interface RepositoryProvider {
    name: String!
    url: String
    webhookUrl: String
  }

  type RepositoryProviderUnknown implements RepositoryProvider {
    name: String!
    url: String
    "Null without permission to edit the pipeline"
    webhookUrl: String
  }

  type Build implements Node {
    id: ID!
    uuid: String!
    number: Int!
    url: String!
    state: BuildStates!
    "Null unless the build is blocked"
    blockedState: BuildBlockedStates
    blocked: Boolean! ${own}
    branch: String!
    commit: String!
    message: String
    env: [String!]
    source: BuildSource!
    createdBy: BuildCreator
    cancelReason: String
    canceledAt: DateTime
    canceledBy: User
    createdAt: DateTime
    scheduledAt: DateTime
    startedAt: DateTime
    finishedAt: DateTime
    pullRequest: PullRequest
    rebuiltFrom: Build
    triggeredFrom: JobTypeTrigger
    pipeline: Pipeline!
    organization: Organization!
    metaData(first: Int, last: Int, after: String ${own}, before: String ${own}): BuildMetaDataConnection
    jobs(
      ${page}
      ${jobFilters}
      order: JobOrder = RECENTLY_CREATED
      includeRetried: Boolean = true ${own}
    ): JobConnection
    annotations(
      ${page}
      style: [AnnotationStyle!]
      context: [String!] ${own}
      order: AnnotationOrder = RECENTLY_CREATED
    ): AnnotationConnection
  }
  ${connectionOf('Build')}

  enum BuildStates {
    SKIPPED CREATING SCHEDULED RUNNING PASSED FAILING FAILED BLOCKED CANCELING CANCELED NOT_RUN
  }
  enum BuildBlockedStates { FAILED PASSED RUNNING }

  "The author of a build: a user, or only a name and an email address"
  union BuildCreator = UnregisteredUser | User

  type PullRequest {
    id: String!
    base: String ${own}
    repository: String ${own}
  }

  interface BuildSource { name: String! }
  ${sources.map((name) => `type BuildSource${name} implements BuildSource { name: String! }`).join('\n')}

  type BuildMetaData {
    key: String!
    value: String!
  }
  ${connectionOf('BuildMetaData')}

  enum AnnotationStyle { DEFAULT ERROR INFO SUCCESS WARNING }
  enum AnnotationOrder { PRIORITY_RECENTLY_CREATED RECENTLY_CREATED }

  type AnnotationBody {
    html: String
    text: String!
  }

  type Annotation implements Node {
    id: ID!
    uuid: ID!
    context: String!
    style: AnnotationStyle
    priority: Int!
    body: AnnotationBody
    createdAt: DateTime!
    updatedAt: DateTime
  }
  ${connectionOf('Annotation')}
`;
