/** Small things that a pipeline has. */
export const pipelinePartsSchema = /* GraphQL */ `
  input PipelineRepositoryInput {
    url: String!
  }

  type PipelineSteps {
    yaml: YAML
  }

  type PipelineTag {
    label: String!
  }

  type Repository {
    url: String!
    provider: RepositoryProvider
  }

  interface RepositoryProvider {
    name: String!
    url: String
    webhookUrl: String
  }

  type RepositoryProviderUnknown implements RepositoryProvider {
    name: String!
    url: String
    "Null without permission to edit the pipeline"
    webhookUrl: String
  }
`;
