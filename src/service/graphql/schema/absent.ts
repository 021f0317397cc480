import { connectionOf } from './parts.ts';

/** What clients ask for beside the rest, and what the built-in service has none of. */
export const absentSchema = /* GraphQL */ `
  scalar TeamSelector

  type Team implements Node {
    id: ID!
    uuid: ID!
    name: String!
    slug: String!
  }
  ${connectionOf('Team')}

  enum PipelineAccessLevels {
    BUILD_AND_READ
    MANAGE_BUILD_AND_READ
    READ_ONLY
  }
  enum TeamPipelineOrder {
    NAME
    RECENTLY_CREATED
    RELEVANCE
  }
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
