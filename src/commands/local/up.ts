import { command } from '../../cli/command.ts';

export const localUp = command({
  name: 'local up',
  summary: 'Start the built-in service',
  details:
    'It runs in the background, keeps its data on this machine, and is what profile "local" uses.',
  arguments: {},
  options: {
    port: { value: 'N', type: 'integer', fallback: 'a free one', summary: 'port on 127.0.0.1' },
    foreground: { summary: 'run it here until Ctrl-C' },
    rateLimit: {
      value: 'N',
      type: 'integer',
      fallback: 'none',
      summary: 'requests a minute that a user may send',
    },
    background: { hidden: true, summary: 'this process is the one that local up started' },
  },
  examples: ['cictl local up', 'cictl local up --port 8090 --rate-limit 200'],
  settings: 'optional',
});
