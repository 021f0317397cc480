import { command } from '../../command/command.ts';

export const mcp = command({
  name: 'mcp',
  summary: 'Offer these commands to a program as tools (Model Context Protocol)',
  details:
    'Speaks the protocol on standard input and output until the input ends. Tools are named after\n' +
    'their commands (builds_failures, job_log). They only read, unless --allow-changes is given.',
  options: {
    allowChanges: {
      summary: 'also tools that create, cancel and rebuild builds, retry, unblock and annotate',
    },
  },
  examples: ['cictl mcp', 'cictl mcp --profile work --allow-changes'],
});
