import { command } from '../../command/command.ts';
import { shells } from './shells.ts';

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
