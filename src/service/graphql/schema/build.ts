import { connectionOf, jobFilters, own, page } from './parts.ts';

export const buildSchema = /* GraphQL */ `
  type Build implements Node {
    id: ID!
    uuid: String!
    number: Int!
    url: String!
    state: BuildStates!
    "Null while the build waits for nobody"
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
    SKIPPED
    CREATING
    SCHEDULED
    RUNNING
    PASSED
    FAILING
    FAILED
    BLOCKED
    CANCELING
    CANCELED
    NOT_RUN
  }
  enum BuildBlockedStates {
    FAILED
    PASSED
    RUNNING
  }
`;
