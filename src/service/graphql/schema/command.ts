import { sharedMembers } from './job-members.ts';

/** Jobs that run a command. */
export const commandSchema = /* GraphQL */ `
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
`;
