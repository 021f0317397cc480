import { command } from '../../command/command.ts';

export const graphql = command({
  name: 'graphql',
  summary: 'Send a GraphQL query',
  details: '--paginate wants $endCursor: String and pageInfo{hasNextPage endCursor} in the query.',
  arguments: { query: { summary: 'the query, @FILE, or - for standard input', required: true } },
  options: {
    field: { short: 'f', value: 'K=V', repeat: true, summary: 'variable, as a string' },
    typedField: {
      short: 'F',
      value: 'K=V',
      repeat: true,
      summary: 'variable: true, false, null, a number, @FILE, else a string',
    },
    variables: { value: 'JSON|@FILE', summary: 'variables as a JSON object' },
    operation: { value: 'NAME', summary: 'which operation of the query' },
    paginate: { summary: 'follow the cursor; one document a page' },
  },
  examples: [
    "cictl graphql '{ viewer { user { name } } }'",
    'cictl graphql @builds.graphql -F first=5 --jq .data',
  ],
});
