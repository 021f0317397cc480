import { own } from './parts.ts';

/** Where queries begin, and what all objects share. */
export const rootSchema = /* GraphQL */ `
  scalar DateTime
  scalar JSON
  scalar YAML

  interface Node {
    id: ID!
  }

  interface Connection {
    count: Int!
    pageInfo: PageInfo
  }

  type PageInfo {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }

  type Query {
    viewer: Viewer
    user(uuid: ID!): User ${own}
    organization(slug: ID, uuid: ID): Organization
    "ORGANIZATION/UUID"
    organizationMember(slug: ID!): OrganizationMember
    "ORGANIZATION/PIPELINE"
    pipeline(slug: ID, uuid: ID): Pipeline
    "ORGANIZATION/PIPELINE/NUMBER"
    build(slug: ID, uuid: ID): Build
    job(uuid: ID!): Job
    "ORGANIZATION/UUID"
    agent(slug: ID!): Agent
    artifact(uuid: ID!): Artifact
    rule(uuid: ID!): Rule
    node(id: ID!): Node
  }
`;
