import { command } from '../command/command.ts';

export const helpCommand = command({
  name: 'help',
  summary: 'Explain a command or a topic',
  details: 'Topics: flags, environment, exit-codes, formatting, references.',
  arguments: { topic: { summary: 'a topic or the words of a command', variadic: true } },
  options: {},
  examples: ['cictl help builds list', 'cictl help exit-codes'],
  settings: 'unused',
});

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completion = command({
  name: 'completion',
  summary: 'Print the completion script of a shell, or install it',
  details:
    'It completes commands, flags and values: builds, step keys behind #, pipelines, branches and so\n' +
    'on, from the cache or by one request of at most a second.',
  arguments: { shell: { summary: shells.join(', '), choices: shells } },
  options: {
    install: { summary: "write it where SHELL, by default the user's own, looks for it" },
  },
  examples: ['cictl completion zsh --install', 'eval "$(cictl completion bash)"'],
  settings: 'unused',
});

export type Shell = (typeof shells)[number];
