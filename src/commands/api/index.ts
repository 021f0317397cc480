import { command } from '../../command/command.ts';

export const api = command({
  name: 'api',
  summary: 'Send a request to the REST API',
  details:
    'Prints the response body as received, decompressed if necessary. The method defaults to POST if there is a body, and to GET otherwise.',
  arguments: { path: { summary: 'path, with or without /v2, or a URL', required: true } },
  options: {
    method: { short: 'X', value: 'METHOD', summary: 'HTTP method' },
    header: { short: 'H', value: 'NAME: VALUE', repeat: true, summary: 'request header' },
    field: { short: 'f', value: 'K=V', repeat: true, summary: 'string field in the request body' },
    typedField: {
      short: 'F',
      value: 'K=V',
      repeat: true,
      summary: 'typed field: true, false, null, a number, @FILE or a string',
    },
    input: { value: 'FILE|-', summary: 'file with the body; - for standard input' },
    include: { short: 'i', summary: 'also print the response status and headers' },
    paginate: { summary: 'fetch all pages of a list' },
    silent: { summary: 'do not print the response body' },
  },
  examples: [
    'cictl api organizations',
    'cictl api organizations/acme/pipelines/web/builds -f commit=HEAD -f branch=dev',
  ],
});
