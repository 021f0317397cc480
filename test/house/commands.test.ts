/** Rules for every command, checked on the command definitions. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { generatedFiles, helpTexts } from '../../src/cli/generated.ts';
import { globalOptions } from '../../src/cli/globals.ts';
import { helpText } from '../../src/cli/help.ts';
import { parse } from '../../src/cli/parse.ts';
import { entries } from '../../src/cli/tree.ts';

const commands = entries.map(({ command }) => command);
const top = join(import.meta.dirname, '../..');

test('generated files are current: npm run docs', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect(readFileSync(join(top, path), 'utf8'), path).toBe(text);
  }
});

test.each([
  ['', []],
  ['builds', ['builds']],
  ['build ls', ['builds', 'list']],
  ['local pipelines ls', ['local', 'pipeline', 'list']],
  ['exit-codes', ['exit-codes']],
  ['flags', ['flags']],
])('the launcher prints the same for "%s" as the tool', async (words, topic) => {
  const { texts, places, topics } = await helpTexts();
  expect(texts[places[words] ?? topics[words] ?? -1]).toBe(await helpText(topic));
});

test.each(commands)('$name: the help fits on a screen', async (command) => {
  const help = await helpText(command.name.split(' '));
  expect(help.split('\n').length - 1).toBeLessThanOrEqual(40);
  for (const example of command.examples) expect(help).toContain(`  ${example}\n`);
});

test.each(commands)('$name: both examples are valid command lines', (command) => {
  for (const example of command.examples) {
    const names = invocations(example).map((words) => {
      const invocation = parse(words);
      return invocation.kind === 'run' ? invocation.entry.command.name : invocation.kind;
    });
    expect(names, example).toContain(command.name);
  }
});

test.each(commands)('$name: its flags do not clash with global ones', ({ options }) => {
  const taken = Object.values(globalOptions).flatMap((option) => shortOf(option) ?? []);
  const own = Object.values(options).flatMap((option) => shortOf(option) ?? []);
  expect(new Set(own).size).toBe(own.length);
  expect(own.filter((short) => taken.includes(short))).toEqual([]);
});

test.each(commands)('$name: list, view and log use a pager', ({ name, paged }) => {
  expect(paged === true).toBe(/ (?:list|view|log|failures|stats)$/.test(name));
});

test('handlers exist', async () => {
  for (const entry of entries) {
    expect(await entry.load(), entry.command.name).toBeTypeOf('function');
  }
});

const shortOf = (option: Command['options'][string]): string | undefined => option.short;

/** The arguments of each call of `cictl` in a command line, as split by a real shell. */
function invocations(line: string): string[][] {
  const script = `
    cictl() { printf '%s\\0' "$@" CALL >&3; }
    command_not_found_handle() { return 0; }
    ${line.replace(/\s[<>]\s*\S+/g, '')}
    true`;
  const output = execFileSync('bash', ['-c', `exec 3>&1 1>&2; PATH=/nonexistent; ${script}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const calls = output.toString().split('CALL\0').slice(0, -1);
  return calls.map((call) => call.split('\0').slice(0, -1));
}
