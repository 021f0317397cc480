import { connectionOf, own } from './root.ts';

const times = `
  url: String ${own}
  createdAt: DateTime ${own}
  finishedAt: DateTime ${own}
`;

const jobMembers = `
  uuid: String!
  retried: Boolean!
  retriedBy: User
  retriesCount: Int
  retrySource: Job
  retryType: JobRetryTypes
`;

const sharedMembers = `
  id: ID!
  ${jobMembers}
  state: JobStates!
  label: String
  build: Build
`;

const kinds = ['Command', 'Input', 'Trigger', 'Wait'];

const step = `
  uuid: String!
  key: String
  conditional: String
`;

export const jobSchema = /* GraphQL */ `
  union Job = JobTypeBlock | JobTypeCommand | JobTypeTrigger | JobTypeWait

  interface JobInterface {
    ${jobMembers}
  }

  type JobTypeWait implements JobInterface & Node {
    ${sharedMembers}
    step: StepWait
    ${times}
  }

  type JobTypeBlock implements JobInterface & Node {
    ${sharedMembers}
    step: StepInput
    isUnblockable: Boolean
    unblockedAt: DateTime
    unblockedBy: User
    ${times}
  }

  type JobTypeTrigger implements JobInterface & Node {
    ${sharedMembers}
    step: StepTrigger
    async: Boolean!
    triggered: Build
    ${times}
  }

  ${connectionOf('Job')}

  type JobTypeCommand implements JobInterface & Node {
    ${sharedMembers}
    step: StepCommand
    url: String!
    command: String
    pipeline: Pipeline
    agent: Agent
    agentQueryRules: [String!]
    artifacts(first: Int, last: Int): ArtifactConnection
    automaticArtifactUploadPaths: String
    cluster: Cluster
    clusterQueue: ClusterQueue
    concurrency: JobConcurrency
    env: [String!]
    exitStatus: String
    matrix: JSON
    parallelGroupIndex: Int
    parallelGroupTotal: Int
    passed: Boolean!
    priority: JobPriority!
    retryRules: JobRetryRules
    signal: String
    signalReason: JobEventSignalReason
    softFailed: Boolean!
    createdAt: DateTime
    scheduledAt: DateTime
    runnableAt: DateTime
    startedAt: DateTime
    finishedAt: DateTime
    canceledAt: DateTime
    expiredAt: DateTime
  }

  type Artifact implements Node {
    id: ID!
    uuid: ID!
    path: String!
    downloadURL: String!
    mimeType: String!
    sha1sum: String!
    sha256sum: String
    size: Int!
    state: String!
    expiresAt: DateTime
    job: JobTypeCommand
  }
  ${connectionOf('Artifact')}

  interface Step { ${step} }
  ${kinds.map((kind) => `type Step${kind} implements Step { ${step} }`).join('\n')}

  enum JobTypes { BLOCK COMMAND TRIGGER WAIT }
  enum JobOrder { RECENTLY_ASSIGNED RECENTLY_CREATED }
  enum JobRetryTypes { AUTOMATIC MANUAL }
  enum JobEventSignalReason {
    AGENT_INCOMPATIBLE AGENT_REFUSED AGENT_STOP CANCEL PROCESS_RUN_ERROR SIGNATURE_REJECTED
    STACK_ERROR
  }

  type JobPriority { number: Int }
  type JobConcurrency {
    group: String!
    limit: Int!
  }
  type JobRetryRules {
    automatic: [JobRetryRuleAutomatic]
    manual: Boolean
  }
  type JobRetryRuleAutomatic {
    exitStatus: String
    limit: String
    signal: String
    signalReason: String
  }

  input JobStepSearch { key: [String!] }
  input JobConcurrencySearch { group: [String!] }
  input JobPrioritySearch { number: [Int!] }

  enum JobStates {
    ACCEPTED ASSIGNED BLOCKED BLOCKED_FAILED BROKEN CANCELED CANCELING EXPIRED FINISHED LIMITED
    LIMITING PENDING PLATFORM_LIMITED PLATFORM_LIMITING RESERVED RUNNING SCHEDULED SKIPPED
    TIMED_OUT TIMING_OUT UNBLOCKED UNBLOCKED_FAILED WAITING WAITING_FAILED
  }
`;
