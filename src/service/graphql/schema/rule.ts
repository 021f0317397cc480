import { connectionOf } from './parts.ts';

export const ruleSchema = /* GraphQL */ `
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

  enum RuleSourceType {
    PIPELINE
  }
  enum RuleTargetType {
    PIPELINE
  }
  enum RuleEffect {
    ALLOW
  }
  enum RuleAction {
    ARTIFACTS_READ
    TRIGGER_BUILD
  }
  enum RuleOrder {
    RECENTLY_CREATED
  }
`;
