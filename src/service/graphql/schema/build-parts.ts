import { connectionOf, own } from './parts.ts';

const sources = ['API', 'Frontend', 'Schedule', 'TriggerJob', 'Webhook'];

/** Small things that a build has. */
export const buildPartsSchema = /* GraphQL */ `
  "Who a build is by: a user of the service, or a name and an address alone"
  union BuildCreator = UnregisteredUser | User

  type PullRequest {
    id: String!
    base: String ${own}
    repository: String ${own}
  }

  interface BuildSource {
    name: String!
  }
  ${sources.map((name) => `type BuildSource${name} implements BuildSource { name: String! }`).join('\n')}

  type BuildMetaData {
    key: String!
    value: String!
  }
  ${connectionOf('BuildMetaData')}

  enum AnnotationStyle {
    DEFAULT
    ERROR
    INFO
    SUCCESS
    WARNING
  }
  enum AnnotationOrder {
    PRIORITY_RECENTLY_CREATED
    RECENTLY_CREATED
  }

  type AnnotationBody {
    html: String
    text: String!
  }

  type Annotation implements Node {
    id: ID!
    uuid: ID!
    context: String!
    style: AnnotationStyle
    priority: Int!
    body: AnnotationBody
    createdAt: DateTime!
    updatedAt: DateTime
  }
  ${connectionOf('Annotation')}
`;
