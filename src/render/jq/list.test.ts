import { expect, test } from 'vitest';
import { toExit } from '../../errors.ts';
import { runJq } from './jq.ts';
import { planJq } from './list.ts';
import { printed, terminal, thing } from '../../../test/support/units/output-context.ts';
import { sampled } from '../../../test/support/full.ts';

const elements = Array.from({ length: 250 }, (_, number) => ({
  number,
  state: number % 3 === 0 ? 'failed' : 'passed',
  message: number % 7 === 0 ? null : `Change "${number}" (#${number}) \\ é`,
  jobs: Array.from({ length: number % 4 }, (__, id) => ({ id, tags: ['a', 'b'] })),
}));
const json = JSON.stringify(elements);

const programs = [
  '.',
  'length',
  ' length',
  'length, 1',
  '.[]',
  '.[].number',
  '.[] | .jobs[] | .id',
  '.[].jobs[].tags[]',
  '.[].jobs[0].id',
  '.[]["number"]',
  '.[] | select(.state == "failed") | .message, .number',
  '.[].number + 1',
  '.[].number, 3',
  '.[] // "none"',
  '.[] | "\\(.number): \\(.message)"',
  '.[] | [.number, .state] | @tsv',
  'map(.number)',
  'map(.number) | add',
  'map(select(.state == "failed")) | length',
  'map(select(.state == "failed")) | map(.number) | add',
  'map(select(.state == "failed")) | .[] | .number',
  'map(.jobs[]) | length',
  'map(empty)',
  'map(")") | .[0]',
  'map("\\(.number)") | .[249]',
  'map(.number)[3]',
  'map(.number) // 1 | length',
  '[.[] | {number, jobs: (.jobs | length)}]',
  '[.[].number] | max',
  '[.[].number, .[0].state] | length',
  '[.[0], .[1]]',
  'sort_by(.state) | .[0].number',
  'group_by(.state) | map({state: .[0].state, count: length})',
  'first(.[]) | .number',
  'sort_by(.state, -.number) | .[3:] | .[].message',
  'max_by(.jobs | length) | .number',
  'map(select(.number > 5)) | group_by(.state) | map([.[0].state, length])',
  'sort_by(.number) | .[0].number.x',
  'map(.number) # all of them',
  '.[] | # each\n .number',
  'map(# each\n .number)',
  '[.[] | input]',
  '.[] | if .number == 5 then halt else .number end',
  '.[] | if .number == 205 then error("five") else .number end',
  '.[] | if .number == 205 then .number.x else .number end',
  'map(if .number == 205 then error("five") else .number end)',
  'map(.number) | error("late")',
];

sampled.each(programs)('in parts, %s gives what it gives for all at once', async (jq) => {
  for (const parts of [undefined, terminal]) {
    const { values, failure } = await runJq(jq, json, {
      indent: parts === terminal,
      isCostly: false,
    });
    const { out, error } = await outcome(jq, parts);
    expect(out).toBe(values.map((value) => `${value}\n`).join(''));
    expect(error).toBe(failure?.message);
  }
});

sampled.each(programs)('line by line, %s gives what it gives for each', async (jq) => {
  let expected = '';
  let message: string | undefined;
  for (const element of elements) {
    const { values, failure } = await runJq(jq, JSON.stringify(element), {
      indent: false,
      isCostly: false,
    });
    expected += values.map((value) => `${value}\n`).join('');
    message = failure?.message;
    if (message !== undefined) break;
  }
  expect(await outcome(jq, undefined, 'jsonl')).toEqual({ out: expected, error: message });
});

test('halt stops a program for one element only', async () => {
  const jq = 'if .number % 2 == 0 then halt else .number end';
  const odd = elements.map(({ number }) => number).filter((number) => number % 2 === 1);
  expect(await outcome(jq, undefined, 'jsonl')).toEqual({ out: `${odd.join('\n')}\n` });
});

/** The output for the whole list, and the error that ended it. */
async function outcome(jq: string, parts: typeof terminal | undefined, output?: 'jsonl') {
  let error: string | undefined;
  const settings = { jq, ...(output && { output }) };
  const { out } = await printed(
    async (to) => {
      try {
        await to.list(thing, elements);
      } catch (caught) {
        error = (caught as Error).message;
      }
    },
    settings,
    parts,
  );
  return { out, error };
}

test.each([
  ['.[].number', 'each'],
  ['.[] | .jobs | map(.id)', 'each'],
  ['length', 'map(0)'],
  ['map(.a) | map(.b) | length', 'map(.a) | map(.b) | map(0)'],
  ['map(select(.a == ")")) | .[0]', 'map(select(.a == ")"))'],
  ['[.[] | .a]', '[.[] | .a]'],
  ['sort_by(.a)', undefined],
  ['.[0].a', undefined],
  ['map("\\(.a)")', undefined],
  ['map(input)', undefined],
])('the plan of %s starts with %s', (program, head) => {
  const plan = planJq(program);
  expect(plan.rest === undefined ? 'each' : plan.head).toBe(head);
});

const large = Array.from({ length: 40 }, (_, number) => ({ number, text: 'x'.repeat(1_000_000) }));

test('rejects more input than jq accepts with one line', async () => {
  const use = printed((to) => to.list(thing, large), { jq: 'sort_by(.number)' });
  await expect(use).rejects.toThrow(
    '--jq needs all things at once, but their JSON is larger than 32 MiB',
  );
  await expect(use).rejects.toSatisfy((error) => toExit(error) === 2);
});

sampled.each([
  ['length', '40\n'],
  ['map(.number) | add', '780\n'],
  ['.[] | select(.number > 38) | .number', '39\n'],
])('%s of much data is no matter where parts will do', async (jq, out) => {
  expect((await printed((to) => to.list(thing, large), { jq })).out).toBe(out);
});

test('runs any program if --fields leaves little', async () => {
  const settings = { jq: 'sort_by(-.number)[0]', fields: ['number'] };
  expect((await printed((to) => to.list(thing, large), settings)).out).toBe('{"number":39}\n');
});
