import { expect, test } from 'vitest';
import { interpolate } from './interpolate.ts';

const known: Record<string, string> = { V: 'value', E: '', U: 'größe' };

function run(text: string) {
  const unset: string[] = [];
  const problems: string[] = [];
  const result = interpolate(text, {
    get: (name) => known[name],
    isLeftToShell: (name) => name === 'PATH',
    unset: (name) => unset.push(name),
    problem: (problem) => problems.push(problem),
  });
  return { result, unset, problems };
}

test.each([
  ['plain', 'plain'],
  ['$V and ${V}', 'value and value'],
  ['$V$V', 'valuevalue'],
  ['${V}s $Vs.', 'values .'],
  [
    '$V[0] $V-x {$V} "$V" \'$V\' `$V` $V=1',
    'value[0] value-x {value} "value" \'value\' `value` value=1',
  ],
  ['$VÄ $Äx', ' '],
  ['${V:-d} ${E:-d} ${N:-d}', 'value d d'],
  ['${V-d} ${E-d} ${N-d}', 'value  d'],
  ['${N:-${V}-${N:-x}}', 'value-x'],
  ['${N:-${M:-${O:-deep}}}', 'deep'],
  ['${N:-}${N-}', ''],
  ['${N:-$V} ${N:-"q $V"} ${N:- x }', 'value "q value"  x '],
  ['${N:-$$V} ${N:-\\$V} ${N:-$(date)} ${N:-$1}', '$V $V $(date) $1'],
  ['${N:-}} ${N:-{}} ${N:-a{b}c} ${N:-\\}}', '} {} a{bc} \\}'],
  ['${V:--x} ${V-:x} ${N:-2:3}', 'value value 2:3'],
  ['${V?no} ${E?no}', 'value '],
  ['${V:1} ${V:1:3} ${V:0:0} ${V: -2} ${V:1:-1} ${V:9}', 'alue alu  ue alu '],
  [
    '${V: -9} ${V: -3:2} ${V:0:-9} ${V:9:-1} ${V:+1} ${V:1 : 2 } ${V:01}',
    'value lu   alue al alue',
  ],
  ['${E:1}', ''],
  // Counted in bytes, like the public parser.
  ['${U:2:2} ${U:2}', 'ö öße'],
  ['$$V $${V} \\$V \\${V} $$$V $$$$V', '$V ${V} $V ${V} $value $$V'],
  ['\\\\$V \\\\\\$V \\$$V', '\\\\value \\\\$V $value'],
  ['\\n\\ a\\b \\a$V', '\\n\\ a\\b \\avalue'],
  [
    '$1 $? $@ $* $# $! $- $0 $(date) $((1+2)) $ 5$',
    '$1 $? $@ $* $# $! $- $0 $(date) $((1+2)) $ 5$',
  ],
  ['$_ $_X $\\V $"a" $$1 $$', '$_ $_X $\\V $"a" $1 $'],
  ['${V}} {${V}', 'value} {value'],
  ['$PATH ${PATH} ${PATH:-$V} ${PATH:1}', '$PATH ${PATH} ${PATH:-$V} ${PATH:1}'],
])('%s becomes %s', (text, expected) => {
  expect(run(text)).toMatchObject({ result: expected, problems: [] });
});

test('reports unset variables, except those with a default', () => {
  expect(run('$N ${M} ${O:1} ${D:-d} ${E}').unset).toEqual(['N', 'M', 'O']);
});

function refused(inner: string): [string, string] {
  const source = `\${${inner}}`;
  return [
    source,
    `\`${source}\` is not a supported expression; for the shell, write \`$${source}\``,
  ];
}

test.each([
  ['${N?say $V}', '`N` is not set: say value'],
  ['${N?}', '`N` is not set; set it with `--env N=…`'],
  ...[
    'V:?no',
    'N:?no',
    'V:+x',
    'V+x',
    'V:=x',
    'N=x',
    'V%x',
    'V#x',
    'V/x/y',
    '#V',
    '!V',
    'V^^',
    'V@Q',
  ].map(refused),
  ...['', '1', '*', '_', '_X', ' V ', 'V ', 'V[0]', 'V:', 'V:a', 'V:1:2:3', 'V::2', 'V:0x1'].map(
    refused,
  ),
  ['${V:$N}', '`${V:$N}` is not a supported expression; for the shell, write `$${V:$N}`'],
  ['a ${V', '`${` has no closing brace; for the shell, write `$${`'],
  ['${V:-${V}', '`${` has no closing brace; for the shell, write `$${`'],
  ['${V:1', '`${` has no closing brace; for the shell, write `$${`'],
])('%s is a problem', (text, expected) => {
  expect(run(text).problems).toEqual([expected]);
});
