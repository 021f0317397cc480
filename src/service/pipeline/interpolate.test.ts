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
  ['${V:-d} ${E:-d} ${N:-d}', 'value d d'],
  ['${V-d} ${E-d} ${N-d}', 'value  d'],
  ['${N:-${V}-${N:-x}}', 'value-x'],
  ['${N:-}', ''],
  ['${V?no} ${E?no} ${V:?no}', 'value  value'],
  ['${V:1} ${V:1:3} ${V:0:0} ${V: -2} ${V:1:-1} ${V:9}', 'alue alu  ue alu '],
  ['${U:2:2}', 'öß'],
  ['$$V $${V} \\$V', '$V ${V} $V'],
  ['$$$V', '$value'],
  ['\\\\$V', '\\\\value'],
  ['$1 $? $@ $(date) $ 5$', '$1 $? $@ $(date) $ 5$'],
  ['$PATH ${PATH} ${PATH:-x}', '$PATH ${PATH} ${PATH:-x}'],
])('%s becomes %s', (text, expected) => {
  expect(run(text)).toMatchObject({ result: expected, problems: [] });
});

test('unset variables are told, those with a default are not', () => {
  expect(run('$N ${M} ${O:1} ${D:-d} ${E}').unset).toEqual(['N', 'M', 'O']);
});

test.each([
  ['${N?say why}', '`N` is not set: say why'],
  ['${N:?}', '`N` is not set'],
  ['${E:?}', '`E` is not set'],
  ['${V%x}', '`${V%x}` is no form that is put in here; write `$${V%x}` for the shell'],
  ['${}', '`${}` is no form that is put in here; write `$${}` for the shell'],
  ['${V', '`${` has no closing brace; write `$${` where the shell is meant'],
])('%s is a problem', (text, expected) => {
  expect(run(text).problems).toEqual([expected]);
});
