import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import type { Options } from '../../command/command.ts';
import { splitWords } from './line.ts';

const summary = '';
const options: Options = {
  state: { short: 's', value: 'STATE', summary },
  limit: { short: 'L', value: 'N', summary },
  quiet: { short: 'q', summary },
  yes: { short: 'y', summary },
  all: { summary },
};

const byNode = (args: readonly string[]) => {
  const known = Object.entries(options).map(([name, { short, value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) },
  ]);
  const parsed = parseArgs({
    args: [...args],
    options: Object.fromEntries(known) as Record<string, { type: 'string' | 'boolean' }>,
    ...({ strict: false, tokens: true } as const),
  });
  let behind = false;
  return parsed.tokens.flatMap((token): object[] => {
    if (token.kind === 'option-terminator') behind = true;
    if (token.kind === 'positional') return [{ kind: 'word', text: token.value, behind }];
    if (token.kind !== 'option') return [];
    const key = token.name in options ? token.name : undefined;
    return [{ kind: 'flag', key, value: token.value }];
  });
};

const pieces = [
  ...[
    'builds',
    'list',
    '',
    '-',
    '--',
    '=',
    'a=b',
    '-s',
    '-sfailed',
    '-s=x',
    '-L',
    '-L5',
    '-q',
    '-y',
  ],
  ...[
    '-qy',
    '-qsx',
    '-qs',
    '-yqL',
    '-z',
    '-zq',
    '-q=1',
    '--state',
    '--state=',
    '--state=a=b',
    '--s',
  ],
  ...[
    '--quiet',
    '--quiet=no',
    '--all',
    '--nothing',
    '--nothing=1',
    '--=',
    '--=x',
    '---',
    '-ü',
    '--no-all',
  ],
];

test('parses 20,000 command lines as Node does', () => {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let run = 0; run < 20_000; run++) {
    const args = Array.from({ length: next(6) }, () => pieces[next(pieces.length)] ?? '');
    expect([args, splitWords(args, options)]).toEqual([args, byNode(args)]);
  }
});

test("words take precedence over flag-like text, but not over a flag's value", () => {
  expect(splitWords(['- item', '-s', '-q x', '--', '- y'], options)).toEqual([
    { kind: 'word', text: '- item', behind: false },
    { kind: 'flag', key: 'state', value: '-q x' },
    { kind: 'word', text: '- y', behind: true },
  ]);
});
