import { buildFilters, connectionOf, own } from './parts.ts';

/** People: the caller, members of organizations, and who is known by name alone. */
export const accountSchema = /* GraphQL */ `
  type Viewer implements Node {
    id: ID!
    user: User
    "Builds of the caller"
    builds(first: Int, last: Int, branch: String, metaData: [String!], state: [BuildStates!]): BuildConnection
    organizations(first: Int, last: Int, after: String ${own}, before: String ${own}): OrganizationConnection
  }

  type Avatar {
    url: String!
  }

  type User implements Node {
    id: ID!
    uuid: String!
    name: String!
    email: String!
    avatar: Avatar!
    bot: Boolean!
    hasPassword: Boolean!
    createdAt: DateTime ${own}
    builds(
      first: Int
      last: Int
      ${buildFilters}
      after: String ${own}
      before: String ${own}
      commit: [String!] ${own}
    ): BuildConnection
  }

  type UnregisteredUser {
    name: String
    email: String
    avatar: Avatar!
  }

  enum OrganizationMemberRole {
    ADMIN
    MEMBER
  }
  enum OrganizationMemberOrder {
    NAME
    RECENTLY_CREATED
    RELEVANCE
  }

  type OrganizationMember implements Node {
    id: ID!
    uuid: String!
    role: OrganizationMemberRole!
    complimentary: Boolean!
    createdAt: DateTime!
    createdBy: User
    lastSeenAt: DateTime
    organization: Organization!
    user: User!
  }
  ${connectionOf('OrganizationMember')}
`;
