import { command } from '../../command/command.ts';
import { shells } from './shells.ts';

export const completion = command({
  name: 'completion',
  summary: 'Print the completion script of a shell',
  arguments: {
    shell: { summary: shells.join(', '), required: true, choices: shells },
  },
  options: {},
  examples: ['eval "$(cictl completion bash)"', 'cictl completion fish | source'],
  settings: 'unused',
});
