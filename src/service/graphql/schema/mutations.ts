/** What can be changed: the same as through REST, by the same rules. */
export const mutationSchema = /* GraphQL */ `
  type Mutation {
    agentStop(input: AgentStopInput!): AgentStopPayload
    agentPause(input: AgentPauseInput!): AgentPausePayload
    agentResume(input: AgentResumeInput!): AgentResumePayload
    buildCreate(input: BuildCreateInput!): BuildCreatePayload
    buildCancel(input: BuildCancelInput!): BuildCancelPayload
    buildRebuild(input: BuildRebuildInput!): BuildRebuildPayload
    buildAnnotate(input: BuildAnnotateInput!): BuildAnnotatePayload
    jobTypeCommandRetry(input: JobTypeCommandRetryInput!): JobTypeCommandRetryPayload
    jobTypeBlockUnblock(input: JobTypeBlockUnblockInput!): JobTypeBlockUnblockPayload
    ruleCreate(input: RuleCreateInput!): RuleCreatePayload
    ruleDelete(input: RuleDeleteInput!): RuleDeletePayload
  }

  input JobTypeCommandRetryInput {
    clientMutationId: String
    id: ID!
  }
  type JobTypeCommandRetryPayload {
    clientMutationId: String
    "The job that is done again"
    jobTypeCommand: JobTypeCommand!
    "The new one"
    retriedInJobTypeCommand: JobTypeCommand!
  }

  input JobTypeBlockUnblockInput {
    clientMutationId: String
    id: ID!
    "Values of the fields: an object, or a text of JSON"
    fields: JSON
  }
  type JobTypeBlockUnblockPayload {
    clientMutationId: String
    jobTypeBlock: JobTypeBlock!
  }

  input RuleCreateInput {
    clientMutationId: String
    organizationId: ID!
    type: String!
    "source_pipeline and target_pipeline: an object, or a text of JSON"
    value: JSON!
    description: String
  }
  type RuleCreatePayload {
    clientMutationId: String
    rule: Rule!
  }

  input RuleDeleteInput {
    clientMutationId: String
    organizationId: ID!
    id: ID!
  }
  type RuleDeletePayload {
    clientMutationId: String
    deletedRuleId: ID!
  }
`;
