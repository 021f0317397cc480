/**
 * The types of the public schema that the built-in service supports: `member:Type`. Taken from the
 * public documentation; `missing` lists what the service omits.
 */
export interface PublicType {
  readonly members: string;
  readonly missing?: string;
}

export const objects: Readonly<Record<string, PublicType>> = {
  Query: {
    members: `agent:Agent artifact:Artifact build:Build job:Job node:Node organization:Organization
      organizationMember:OrganizationMember pipeline:Pipeline rule:Rule viewer:Viewer`,
    missing: `agentToken apiAccessTokenCode auditEvent graphQLSnippet notificationService
      organizationInvitation pipelineSchedule pipelineTemplate registry secret ssoProvider team`,
  },
  Mutation: {
    members: `agentPause:AgentPausePayload agentResume:AgentResumePayload agentStop:AgentStopPayload
      buildAnnotate:BuildAnnotatePayload buildCancel:BuildCancelPayload
      buildCreate:BuildCreatePayload buildRebuild:BuildRebuildPayload
      jobTypeBlockUnblock:JobTypeBlockUnblockPayload jobTypeCommandRetry:JobTypeCommandRetryPayload
      ruleCreate:RuleCreatePayload ruleDelete:RuleDeletePayload`,
  },
  Viewer: {
    members: `builds:BuildConnection id:ID! organizations:OrganizationConnection user:User`,
    missing: `authorizations emails notice permissions totp`,
  },
  User: {
    members: `avatar:Avatar! bot:Boolean! builds:BuildConnection email:String! hasPassword:Boolean!
      id:ID! name:String! uuid:String!`,
  },
  UnregisteredUser: { members: `avatar:Avatar! email:String name:String` },
  Avatar: { members: `url:String!` },
  Organization: {
    members: `agents:AgentConnection allowedApiIpAddresses:String cluster:Cluster
      clusters:ClusterConnection iconUrl:String id:ID! isTeamsEnabled:Boolean! jobs:JobConnection
      members:OrganizationMemberConnection membersRequireTwoFactorAuthentication:Boolean! name:String!
      pipelines:PipelineConnection public:Boolean! rules:RuleConnection slug:String!
      teams:TeamConnection uuid:String!`,
    missing: `agentTokens apiAccessTokens auditEvents banners invitations permissions
      pipelineTemplates registries repositoryProviders revokeInactiveTokensAfter sso ssoProviders
      suites`,
  },
  OrganizationMember: {
    members: `complimentary:Boolean! createdAt:DateTime! createdBy:User id:ID! lastSeenAt:DateTime
      organization:Organization! role:OrganizationMemberRole! user:User! uuid:String!`,
    missing: `permissions pipelines security sso teams`,
  },
  Pipeline: {
    members: `allowRebuilds:Boolean archived:Boolean! archivedAt:DateTime archivedBy:User
      badgeURL:String! branchConfiguration:String builds:BuildConnection
      cancelIntermediateBuilds:Boolean! cancelIntermediateBuildsBranchFilter:String
      cloneMirrorUrl:String cluster:Cluster color:String commitShortLength:Int! createdAt:DateTime
      createdBy:User defaultBranch:String defaultTimeoutInMinutes:Int description:String emoji:String
      favorite:Boolean! id:ID! jobs:JobConnection maximumTimeoutInMinutes:Int
      metrics:PipelineMetricConnection name:String! organization:Organization!
      pipelineTemplate:PipelineTemplate repository:Repository skipIntermediateBuilds:Boolean!
      skipIntermediateBuildsBranchFilter:String slug:String! steps:PipelineSteps tags:[PipelineTag!]!
      teams:TeamPipelineConnection url:String! uuid:String! visibility:PipelineVisibility!
      webhookURL:String`,
    missing: `nextBuildNumber permissions schedules`,
  },
  PipelineSteps: { members: `yaml:YAML` },
  PipelineTag: { members: `label:String!` },
  Repository: { members: `provider:RepositoryProvider url:String!` },
  RepositoryProvider: { members: `name:String! url:String webhookUrl:String` },
  RepositoryProviderUnknown: {
    members: `name:String! url:String webhookUrl:String`,
    missing: `settings`,
  },
  Build: {
    members: `annotations:AnnotationConnection blockedState:BuildBlockedStates branch:String!
      cancelReason:String canceledAt:DateTime canceledBy:User commit:String! createdAt:DateTime
      createdBy:BuildCreator env:[String!] finishedAt:DateTime id:ID! jobs:JobConnection message:String
      metaData:BuildMetaDataConnection number:Int! organization:Organization! pipeline:Pipeline!
      pullRequest:PullRequest rebuiltFrom:Build scheduledAt:DateTime source:BuildSource!
      startedAt:DateTime state:BuildStates! triggeredFrom:JobTypeTrigger url:String! uuid:String!`,
  },
  PullRequest: { members: `id:String!` },
  BuildMetaData: { members: `key:String! value:String!` },
  BuildSource: { members: `name:String!` },
  BuildSourceAPI: { members: `name:String!` },
  BuildSourceFrontend: { members: `name:String!` },
  BuildSourceSchedule: { members: `name:String!`, missing: `pipelineSchedule` },
  BuildSourceTriggerJob: { members: `name:String!` },
  BuildSourceWebhook: { members: `name:String!`, missing: `headers payload uuid` },
  Annotation: {
    members: `body:AnnotationBody context:String! createdAt:DateTime! id:ID! priority:Int!
      style:AnnotationStyle updatedAt:DateTime uuid:ID!`,
  },
  AnnotationBody: { members: `html:String text:String!` },
  JobInterface: {
    members: `retried:Boolean! retriedBy:User retriesCount:Int retrySource:Job
      retryType:JobRetryTypes uuid:String!`,
  },
  JobTypeBlock: {
    members: `build:Build id:ID! isUnblockable:Boolean label:String retried:Boolean! retriedBy:User
      retriesCount:Int retrySource:Job retryType:JobRetryTypes state:JobStates! step:StepInput
      unblockedAt:DateTime unblockedBy:User uuid:String!`,
  },
  JobTypeWait: {
    members: `build:Build id:ID! label:String retried:Boolean! retriedBy:User retriesCount:Int
      retrySource:Job retryType:JobRetryTypes state:JobStates! step:StepWait uuid:String!`,
  },
  JobTypeTrigger: {
    members: `async:Boolean! build:Build id:ID! label:String retried:Boolean! retriedBy:User
      retriesCount:Int retrySource:Job retryType:JobRetryTypes state:JobStates! step:StepTrigger
      triggered:Build uuid:String!`,
  },
  JobTypeCommand: {
    members: `agent:Agent agentQueryRules:[String!] artifacts:ArtifactConnection
      automaticArtifactUploadPaths:String build:Build canceledAt:DateTime cluster:Cluster
      clusterQueue:ClusterQueue command:String concurrency:JobConcurrency createdAt:DateTime
      env:[String!] exitStatus:String expiredAt:DateTime finishedAt:DateTime id:ID! label:String
      matrix:JSON parallelGroupIndex:Int parallelGroupTotal:Int passed:Boolean! pipeline:Pipeline
      priority:JobPriority! retried:Boolean! retriedBy:User retriesCount:Int retryRules:JobRetryRules
      retrySource:Job retryType:JobRetryTypes runnableAt:DateTime scheduledAt:DateTime signal:String
      signalReason:JobEventSignalReason softFailed:Boolean! startedAt:DateTime state:JobStates!
      step:StepCommand url:String! uuid:String!`,
    missing: `events`,
  },
  Step: { members: `conditional:String key:String uuid:String!`, missing: `dependencies` },
  StepCommand: { members: `conditional:String key:String uuid:String!`, missing: `dependencies` },
  StepInput: { members: `conditional:String key:String uuid:String!`, missing: `dependencies` },
  StepTrigger: { members: `conditional:String key:String uuid:String!`, missing: `dependencies` },
  StepWait: { members: `conditional:String key:String uuid:String!`, missing: `dependencies` },
  JobPriority: { members: `number:Int` },
  JobConcurrency: { members: `group:String! limit:Int!` },
  JobRetryRules: { members: `automatic:[JobRetryRuleAutomatic] manual:Boolean` },
  JobRetryRuleAutomatic: {
    members: `exitStatus:String limit:String signal:String signalReason:String`,
  },
  Agent: {
    members: `clusterQueue:ClusterQueue connectedAt:DateTime connectionState:String!
      createdAt:DateTime disconnectedAt:DateTime heartbeatAt:DateTime hostname:String id:ID!
      ipAddress:String isDeprecated:Boolean! isRunningJob:Boolean! job:Job lostAt:DateTime
      metaData:[String!] name:String! operatingSystem:OperatingSystem organization:Organization
      paused:Boolean! pausedAt:DateTime pausedBy:User pausedNote:String pausedTimeoutInMinutes:Int!
      pid:String priority:Int public:Boolean! userAgent:String uuid:String! version:String
      versionHasKnownIssues:Boolean!`,
    missing: `jobs permissions pingedAt stopForcedAt stopForcedBy stoppedAt stoppedBy
      stoppedGracefullyAt stoppedGracefullyBy`,
  },
  Artifact: {
    members: `downloadURL:String! expiresAt:DateTime id:ID! job:JobTypeCommand mimeType:String!
      path:String! sha1sum:String! sha256sum:String size:Int! state:String! uuid:ID!`,
  },
  Cluster: {
    members: `description:String id:ID! name:String! uuid:ID!`,
    missing: `agentTokens color createdBy defaultQueue emoji organization queues`,
  },
  ClusterQueue: {
    members: `cluster:Cluster description:String id:ID! key:String! uuid:ID!`,
    missing: `createdBy dispatchPaused dispatchPausedAt dispatchPausedBy dispatchPausedNote hosted
      hostedAgents metrics retryAgentAffinity stackHealth`,
  },
  Connection: { members: `count:Int! pageInfo:PageInfo` },
  Node: { members: `id:ID!` },
  PageInfo: {
    members: `endCursor:String hasNextPage:Boolean! hasPreviousPage:Boolean! startCursor:String`,
  },
  PipelineMetric: { members: `id:ID! label:ID! url:String value:String` },
  PipelineTemplate: {
    members: `id:ID! name:String! uuid:ID!`,
    missing: `available configuration createdAt createdBy description updatedAt updatedBy`,
  },
  Team: {
    members: `id:ID! name:String! slug:String! uuid:ID!`,
    missing: `createdAt createdBy defaultMemberRole description isDefaultTeam members
      membersCanCreatePipelines membersCanCreateRegistries membersCanCreateSuites
      membersCanDestroyPackages membersCanDestroyRegistries organization permissions pipelines privacy
      registries suites`,
  },
  TeamPipeline: {
    members: `accessLevel:PipelineAccessLevels! id:ID! pipeline:Pipeline team:Team uuid:ID!`,
    missing: `createdAt createdBy permissions`,
  },
  OperatingSystem: { members: `name:String!` },
  Rule: {
    members: `action:RuleAction createdBy:User description:String document:String effect:RuleEffect
      id:ID! organization:Organization source:RuleSource sourceType:RuleSourceType target:RuleTarget
      targetType:RuleTargetType type:String! uuid:ID!`,
  },
  BuildAnnotatePayload: {
    members: `annotation:Annotation annotationEdge:AnnotationEdge build:Build clientMutationId:String`,
  },
  AgentPausePayload: { members: `agent:Agent! clientMutationId:String` },
  AgentResumePayload: { members: `agent:Agent! clientMutationId:String` },
  AgentStopPayload: { members: `agent:Agent! clientMutationId:String` },
  BuildCancelPayload: { members: `build:Build! clientMutationId:String` },
  BuildCreatePayload: { members: `build:Build clientMutationId:String` },
  BuildRebuildPayload: { members: `build:Build! clientMutationId:String rebuild:Build!` },
  JobTypeBlockUnblockPayload: { members: `clientMutationId:String jobTypeBlock:JobTypeBlock!` },
  JobTypeCommandRetryPayload: {
    members: `clientMutationId:String jobTypeCommand:JobTypeCommand!
      retriedInJobTypeCommand:JobTypeCommand!`,
  },
  RuleCreatePayload: { members: `clientMutationId:String rule:Rule!` },
  RuleDeletePayload: { members: `clientMutationId:String deletedRuleId:ID!` },
};

export const inputs: Readonly<Record<string, string>> = {
  AgentPauseInput: `clientMutationId:String id:ID! note:String timeoutInMinutes:Int`,
  AgentResumeInput: `clientMutationId:String id:ID!`,
  AgentStopInput: `clientMutationId:String graceful:Boolean id:ID!`,
  BuildAnnotateInput: `append:Boolean body:String buildID:ID! clientMutationId:String context:String
    priority:Int style:AnnotationStyle`,
  BuildAuthorInput: `email:String! name:String!`,
  BuildCancelInput: `clientMutationId:String id:ID!`,
  BuildCreateInput: `author:BuildAuthorInput branch:String clientMutationId:String commit:String
    env:[String!] message:String metaData:[BuildMetaDataInput!] pipelineID:ID!`,
  BuildMetaDataInput: `key:String! value:String!`,
  BuildRebuildInput: `clientMutationId:String id:ID!`,
  JobConcurrencySearch: `group:[String!]`,
  JobPrioritySearch: `number:[Int!]`,
  JobStepSearch: `key:[String!]`,
  JobTypeBlockUnblockInput: `clientMutationId:String fields:JSON id:ID!`,
  JobTypeCommandRetryInput: `clientMutationId:String id:ID!`,
  PipelineRepositoryInput: `url:String!`,
  RuleCreateInput: `clientMutationId:String description:String organizationId:ID! type:String!
    value:JSON!`,
  RuleDeleteInput: `clientMutationId:String id:ID! organizationId:ID!`,
};

/** Values of enums, in any order. */
export const enums: Readonly<Record<string, string>> = {
  AnnotationOrder: `PRIORITY_RECENTLY_CREATED RECENTLY_CREATED`,
  AnnotationStyle: `DEFAULT ERROR INFO SUCCESS WARNING`,
  BuildBlockedStates: `FAILED PASSED RUNNING`,
  BuildStates: `BLOCKED CANCELED CANCELING CREATING FAILED FAILING NOT_RUN PASSED RUNNING SCHEDULED
    SKIPPED`,
  JobEventSignalReason: `AGENT_INCOMPATIBLE AGENT_REFUSED AGENT_STOP CANCEL PROCESS_RUN_ERROR
    SIGNATURE_REJECTED STACK_ERROR`,
  JobOrder: `RECENTLY_ASSIGNED RECENTLY_CREATED`,
  JobRetryTypes: `AUTOMATIC MANUAL`,
  JobStates: `ACCEPTED ASSIGNED BLOCKED BLOCKED_FAILED BROKEN CANCELED CANCELING EXPIRED FINISHED
    LIMITED LIMITING PENDING PLATFORM_LIMITED PLATFORM_LIMITING RESERVED RUNNING SCHEDULED SKIPPED
    TIMED_OUT TIMING_OUT UNBLOCKED UNBLOCKED_FAILED WAITING WAITING_FAILED`,
  JobTypes: `BLOCK COMMAND TRIGGER WAIT`,
  OrganizationMemberOrder: `NAME RECENTLY_CREATED RELEVANCE`,
  OrganizationMemberRole: `ADMIN MEMBER`,
  PipelineAccessLevels: `BUILD_AND_READ MANAGE_BUILD_AND_READ READ_ONLY`,
  PipelineOrders: `NAME NAME_WITH_FAVORITES_FIRST RECENTLY_CREATED RELEVANCE`,
  PipelineVisibility: `PRIVATE PUBLIC`,
  RuleAction: `ARTIFACTS_READ TRIGGER_BUILD`,
  RuleEffect: `ALLOW`,
  RuleOrder: `RECENTLY_CREATED`,
  RuleSourceType: `PIPELINE`,
  RuleTargetType: `PIPELINE`,
  TeamPipelineOrder: `NAME RECENTLY_CREATED RELEVANCE`,
};

/** The possible types of an interface or union. */
export const possible: Readonly<Record<string, string>> = {
  BuildCreator: `UnregisteredUser User`,
  BuildSource: `BuildSourceAPI BuildSourceFrontend BuildSourceSchedule BuildSourceTriggerJob
    BuildSourceWebhook`,
  Job: `JobTypeBlock JobTypeCommand JobTypeTrigger JobTypeWait`,
  JobInterface: `JobTypeBlock JobTypeCommand JobTypeTrigger JobTypeWait`,
  RuleSource: `Pipeline`,
  RuleTarget: `Pipeline`,
  Step: `StepCommand StepInput StepTrigger StepWait`,
};
