import type { Command, Flag } from './command.ts';
import { commonFlags } from './flags.ts';

/** The help of one subcommand. */
export function helpOf(command: Command): string {
  const { name, args, summary } = command;
  const usage = `buildkite-agent ${name} [options...] ${args}`.trimEnd();
  const flags = [...command.flags, ...commonFlags].filter(({ help }) => help !== '');
  return `Usage:\n\n    ${usage}\n\n${summary}.\n\nOptions:\n\n${flags.map(line).join('')}`;
}

function line({ name, value, env = [], default: fallback, help }: Flag): string {
  const usage = `--${name}${value === undefined ? '' : ` <${value}>`}`;
  const more = fallback === undefined || fallback.length > 20 ? '' : ` (default: ${fallback})`;
  const variables = env.map((one) => ` [$${one}]`).join('');
  return `  ${usage.padEnd(30)} ${help}${more}${variables}\n`;
}

/** All subcommands that begin with these words. */
export function overview(commands: readonly Command[], words: readonly string[]): string {
  const prefix = words.map((word) => `${word} `).join('');
  const lines = commands
    .filter(({ name }) => `${name} `.startsWith(prefix))
    .map(({ name, summary }) => `  ${name.padEnd(22)} ${summary}\n`);
  const usage = `buildkite-agent ${prefix}<command> [options...]`;
  return `Usage:\n\n    ${usage}\n\nCommands:\n\n${lines.join('')}\nUse "buildkite-agent <command> --help" for more about a command.\n`;
}
