import { command } from '../../command/command.ts';

export const graphql = command({
  name: 'graphql',
  summary: 'Send a GraphQL query',
  details:
    '--paginate requires $endCursor: String and pageInfo{hasNextPage endCursor} in the query.',
  arguments: { query: { summary: 'query, @FILE, or - for standard input', required: true } },
  options: {
    field: { short: 'f', value: 'K=V', repeat: true, summary: 'string variable' },
    typedField: {
      short: 'F',
      value: 'K=V',
      repeat: true,
      summary: 'typed variable: true, false, null, a number, @FILE or a string',
    },
    variables: { value: 'JSON|@FILE', summary: 'variables as a JSON object' },
    operation: { value: 'NAME', summary: 'name of the operation to run' },
    paginate: { summary: 'fetch all pages and print one document per page' },
  },
  examples: [
    "cictl graphql '{ viewer { user { name } } }'",
    'cictl graphql @builds.graphql -F first=5 --jq .data',
  ],
});
