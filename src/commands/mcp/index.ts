import { command } from '../../command/command.ts';

export const mcp = command({
  name: 'mcp',
  summary: 'Run a Model Context Protocol server with these commands as tools',
  details:
    'Serves the protocol on standard input and output until the input ends. Tools are named after their commands (builds_failures, job_log). They are read-only unless --allow-changes is given.',
  options: {
    allowChanges: {
      summary:
        'add tools that create, cancel, rebuild and annotate builds, and retry and unblock jobs',
    },
  },
  examples: ['cictl mcp', 'cictl mcp --profile work --allow-changes'],
});
