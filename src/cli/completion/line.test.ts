import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { tokens, type FlagShape } from './line.ts';

const flags: readonly FlagShape[] = [
  { name: 'state', short: 's', hasValue: true },
  { name: 'limit', short: 'L', hasValue: true },
  { name: 'quiet', short: 'q', hasValue: false },
  { name: 'yes', short: 'y', hasValue: false },
  { name: 'all', short: undefined, hasValue: false },
];

const byNode = (args: readonly string[]) => {
  const options = flags.map(({ name, short, hasValue }) => [
    name,
    { type: hasValue ? 'string' : 'boolean', ...(short !== undefined && { short }) },
  ]);
  const parsed = parseArgs({
    args: [...args],
    options: Object.fromEntries(options) as Record<string, { type: 'string' | 'boolean' }>,
    ...({ strict: false, tokens: true } as const),
  });
  let behind = false;
  return parsed.tokens.flatMap((token): object[] => {
    if (token.kind === 'option-terminator') behind = true;
    if (token.kind === 'positional')
      return [{ kind: 'word', text: token.value, index: token.index, behind }];
    if (token.kind !== 'option') return [];
    return [{ kind: 'flag', name: token.name, typed: token.rawName, value: token.value }];
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

test('reads 20,000 command lines as Node does', () => {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let run = 0; run < 20_000; run++) {
    const args = Array.from({ length: next(6) }, () => pieces[next(pieces.length)] ?? '');
    expect([args, tokens(args, flags, () => false)]).toEqual([args, byNode(args)]);
  }
});

test('what is a word goes before what looks like a flag, but not before the value of one', () => {
  const isWord = (arg: string): boolean => arg.includes(' ');
  expect(tokens(['- item', '-s', '-q x', '--', '- y'], flags, isWord)).toEqual([
    { kind: 'word', text: '- item', index: 0, behind: false },
    { kind: 'flag', name: 'state', typed: '-s', value: '-q x' },
    { kind: 'word', text: '- y', index: 4, behind: true },
  ]);
});
