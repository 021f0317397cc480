const kinds = ['Command', 'Input', 'Trigger', 'Wait'];

const step = `
  uuid: String!
  key: String
  conditional: String
`;

/** Small things that a job has, and by which jobs are found. */
export const jobPartsSchema = /* GraphQL */ `
  interface Step { ${step} }
  ${kinds.map((kind) => `type Step${kind} implements Step { ${step} }`).join('\n')}

  enum JobTypes {
    BLOCK
    COMMAND
    TRIGGER
    WAIT
  }
  enum JobOrder {
    RECENTLY_ASSIGNED
    RECENTLY_CREATED
  }
  enum JobRetryTypes {
    AUTOMATIC
    MANUAL
  }
  enum JobEventSignalReason {
    AGENT_INCOMPATIBLE
    AGENT_REFUSED
    AGENT_STOP
    CANCEL
    PROCESS_RUN_ERROR
    SIGNATURE_REJECTED
    STACK_ERROR
  }

  type JobPriority {
    number: Int
  }
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

  input JobStepSearch {
    key: [String!]
  }
  input JobConcurrencySearch {
    group: [String!]
  }
  input JobPrioritySearch {
    number: [Int!]
  }
`;
