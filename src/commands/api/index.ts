import { command } from '../../command/command.ts';

export const api = command({
  name: 'api',
  summary: 'Send any request to the REST API',
  details:
    'The answer is printed as it came, unpacked where it was compressed. POST when a body is given,\n' +
    'else GET.',
  arguments: { path: { summary: 'path, /v2 may be left out, or an address', required: true } },
  options: {
    method: { short: 'X', value: 'METHOD', summary: 'method of the request' },
    header: { short: 'H', value: 'NAME: VALUE', repeat: true, summary: 'a header of the request' },
    field: { short: 'f', value: 'K=V', repeat: true, summary: 'member of the body, as a string' },
    typedField: {
      short: 'F',
      value: 'K=V',
      repeat: true,
      summary: 'member: true, false, null, a number, @FILE, else a string',
    },
    input: { value: 'FILE|-', summary: 'file that is the body; - for standard input' },
    include: { short: 'i', summary: 'print status and headers of the answer too' },
    paginate: { summary: 'follow the pages of a list' },
    silent: { summary: 'do not print the body' },
  },
  examples: [
    'cictl api organizations',
    'cictl api organizations/acme/pipelines/web/builds -f commit=HEAD -f branch=dev',
  ],
});
