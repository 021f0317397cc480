import { command } from '../command/command.ts';

export const helpCommand = command({
  name: 'help',
  summary: 'Show help for a command or a topic',
  details: 'Topics: flags, environment, exit-codes, formatting, references.',
  arguments: { topic: { summary: 'topic or command', variadic: true } },
  options: {},
  examples: ['cictl help builds list', 'cictl help exit-codes'],
  settings: 'unused',
});

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completion = command({
  name: 'completion',
  summary: 'Print or install the completion script for a shell',
  details:
    'Completes commands, flags and values such as builds, step keys after #, pipelines and branches. Values come from the cache or from one request of at most a second.',
  arguments: { shell: { summary: shells.join(', '), choices: shells } },
  options: {
    install: { summary: 'install the script for SHELL (default: your shell)' },
  },
  examples: ['cictl completion zsh --install', 'eval "$(cictl completion bash)"'],
  settings: 'unused',
});

export type Shell = (typeof shells)[number];
