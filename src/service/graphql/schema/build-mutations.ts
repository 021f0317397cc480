/** Builds are created, canceled, done again and annotated. */
export const buildMutationSchema = /* GraphQL */ `
  input BuildCreateInput {
    clientMutationId: String
    pipelineID: ID!
    "Default HEAD"
    commit: String
    "Default the pipeline's default branch"
    branch: String
    message: String
    author: BuildAuthorInput
    "NAME=VALUE"
    env: [String!]
    metaData: [BuildMetaDataInput!]
  }
  input BuildAuthorInput {
    name: String!
    email: String!
  }
  input BuildMetaDataInput {
    key: String!
    value: String!
  }
  type BuildCreatePayload {
    clientMutationId: String
    build: Build
  }

  input BuildCancelInput {
    clientMutationId: String
    id: ID!
  }
  type BuildCancelPayload {
    clientMutationId: String
    build: Build!
  }

  input BuildRebuildInput {
    clientMutationId: String
    id: ID!
  }
  type BuildRebuildPayload {
    clientMutationId: String
    build: Build!
    "The new one"
    rebuild: Build!
  }

  input BuildAnnotateInput {
    clientMutationId: String
    buildID: ID!
    body: String
    style: AnnotationStyle = DEFAULT
    context: String = "default"
    append: Boolean = false
    priority: Int = 3
  }
  type BuildAnnotatePayload {
    clientMutationId: String
    annotation: Annotation
    annotationEdge: AnnotationEdge
    build: Build
  }
`;
