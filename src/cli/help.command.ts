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
