import { command } from '../../cli/command.ts';

export const authLogin = command({
  name: 'auth login',
  summary: 'Check a token and keep it in a profile',
  details: [
    'The token is read from standard input (--with-token), else asked for without showing it.',
    'It goes to the service that it is for, and nowhere else.',
  ].join('\n'),
  arguments: {},
  options: {
    service: {
      value: 'SERVICE',
      suggests: ['buildkite', 'local'],
      fallback: 'buildkite',
      summary: 'buildkite, local, or a URL that serves all three APIs',
    },
    withToken: { summary: 'read the token from standard input' },
    agent: { summary: 'an agent registration token instead, which metrics wants' },
  },
  examples: [
    'cictl auth login --service buildkite --with-token < token.txt',
    'cictl auth login --profile work --service https://ci.example.com',
  ],
});
