/** Handlers read every option that their command declares. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { entries } from '../../src/cli/tree.ts';
import { handledCommands } from './reads.ts';

const options: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ['node'],
};

test("each option and argument is read by its command's handler", () => {
  const commands = handledCommands(join(import.meta.dirname, '../../src/cli/tree.ts'), options);
  expect(commands.length).toBe(entries.length);
  const unread = commands.flatMap(({ command, declared, read }) =>
    // `--timeout` is applied to the handler, not by it.
    declared
      .filter((key) => !read.has(key) && key !== 'timeout')
      .map((key) => `${command}: ${key}`),
  );
  expect(unread).toEqual([]);
});

const bodies: readonly (readonly [string, readonly string[]])[] = [
  ['input.a', ['a']],
  ["input['b']", ['b']],
  ['rest(input)', ['b']],
  // Not followed further: everything that any source reads from the type counts.
  ['kept({ input })', ['a', 'b']],
  ['named(input)', ['a', 'b']],
  ['text(input.a)', ['a']],
  ['0', []],
];

test('finds reads through functions, rest patterns, objects and keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-house-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'handlers.ts'), handlers + bodies.map(handler).join(''));
  writeFileSync(join(folder, 'tree.ts'), tree + bodies.map(pair).join(''));
  const found = handledCommands(join(folder, 'tree.ts'), { ...options, types: [] });
  expect(found.map(({ declared }) => declared)).toEqual(bodies.map(() => ['a', 'b', 'c']));
  const read = found.map(({ read }, index) => [bodies[index]?.[0], [...read].sort()]);
  expect(read).toEqual(bodies);
});

const handlers = `
  interface Input { a: string; b: string; c: string }
  const text = (c: string) => c;
  const rest = ({ ...all }: Input) => { const { b: other } = all; return other; };
  const kept = (parts: { input: Input }) => look(parts);
  const look = ({ input }: { input: Input }) => input.a;
  const named = (input: Input) => (['a', 'b'] as const).map((key) => input[key]);
`;
const handler = ([body]: (typeof bodies)[number], index: number): string =>
  `export const run${index} = async (input: Input) => { ${body}; };\n`;

const tree = `
  const command = { arguments: { a: {} }, options: { b: {}, c: {} } };
  const entry = (...all: unknown[]) => all;
`;
const pair = (_: unknown, index: number): string =>
  `entry(command, () => import('./handlers.ts'), 'run${index}');\n`;
