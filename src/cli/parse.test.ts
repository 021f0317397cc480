import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { parse, wantsJson } from './parse.ts';
import { readCommandLine } from './program.ts';

const run = (line: readonly string[]) => {
  const invocation = parse(line);
  if (invocation.kind !== 'run') throw new Error(`not a command: ${invocation.kind}`);
  return { name: invocation.entry.command.name, ...invocation };
};

test.each([
  [['--json', 'builds', 'list'], 'before the command'],
  [['builds', '--json', 'list'], 'between its words'],
  [['builds', 'list', '--json'], 'behind it'],
])('takes a global flag %j (%s)', (line) => {
  const { name, globals } = run(line);
  expect([name, globals.json]).toEqual(['builds list', true]);
});

test.each([
  ['build', 'ls'],
  ['builds', 'list'],
])('answers to singular, plural and ls: %s %s', (...line) => {
  expect(run(line).name).toBe('builds list');
});

test('gives a flag the next argument even where that looks like a flag', () => {
  const { input, globals } = run(['builds', 'create', '-m', '-q']);
  expect([input['message'], globals.quiet]).toEqual(['-q', false]);
});

test.each([
  [['- one'], '- one'],
  [['--all new\nlines'], '--all new\nlines'],
  [['--', '-q'], '-q'],
  [['-'], '-'],
])('takes %j for a value', (words, body) => {
  expect(run(['annotate', ...words]).input['body']).toBe(body);
});

test('keeps white space in a value behind =', () => {
  expect(run(['builds', 'create', '--message=two words']).input['message']).toBe('two words');
});

test('collects what is repeatable, reads numbers and durations', () => {
  const { input } = run(['builds', 'list', '-s', 'failed', '-spassed', '-L5', '--max-wait', '1m']);
  expect(input).toMatchObject({ state: ['failed', 'passed'], limit: 5, maxWait: 60_000 });
});

test('takes a choice or a number behind the = of a short flag, and leaves other text alone', () => {
  const { input } = run(['builds', 'list', '-s=failed', '-L=5', '-b=main']);
  expect(input).toMatchObject({ state: ['failed'], limit: 5, branch: ['=main'] });
});

test('takes choices in any case, and several in one value', () => {
  const { input } = run(['builds', 'list', '-s', 'Failed, passed', '-s', 'BLOCKED', '-o', 'JSON']);
  expect(input).toMatchObject({ state: ['failed', 'passed', 'blocked'], output: 'json' });
});

test('says under -o JSON that it failed as under -o json', () => {
  expect(wantsJson(readCommandLine(['builds', 'list', '-o', 'JSONL']).flags, {})).toBe(true);
});

test.each([
  [['bulds', 'list'], 'unknown command "bulds"'],
  [['builds', 'lst'], 'unknown command "builds lst"'],
  [['builds', 'lsit'], 'unknown command "builds lsit"'],
  [['builds'], 'not a whole command'],
  [['--stat', 'builds', 'list'], 'unknown flag --stat'],
  [['builds', 'list', '--stat', 'x'], 'unknown flag --stat; did you mean --state?'],
  [['builds', 'list', '-s', 'fialed'], 'did you mean failed?'],
  [['builds', 'list', '-s', 'passed,'], 'not ""'],
  [['builds', 'list', '--limit', 'ten'], 'whole number'],
  [['builds', 'list', '--org'], '--org needs a value'],
  [['builds', 'list', '--all=yes'], '--all takes no value'],
  [['builds', 'list', 'a', 'b'], 'does not take the argument "b"'],
])('refuses %j with code 2', (line, message) => {
  let thrown: unknown;
  try {
    parse(line);
  } catch (error) {
    thrown = error;
  }
  expect(toExit(thrown)).toBe(2);
  expect(String(thrown)).toContain(message);
});

test.each([
  [
    ['builds', 'list', '--help'],
    ['builds', 'list'],
  ],
  [['-h', 'builds'], ['builds']],
  [[], []],
])('asks for help: %j', (line, topic) => {
  expect(parse(line)).toEqual({ kind: 'help', topic });
});

test('prefers help to complaints about what is missing', () => {
  expect(parse(['builds', 'list', 'a', 'b', '-h'])).toMatchObject({ kind: 'help' });
});

test.each([
  [['builds', 'list', '--json', 'web'], 'web'],
  [['builds', 'list', '--json', '--', 'a,b'], 'a,b'],
  [['annotations', 'view', '--json', 'style'], 'style'],
])('%j names no fields', (line, word) => {
  expect(Object.values(run(line).input)).toContain(word);
});

test.each([
  [
    ['builds', 'list', '-s', 'NOT-RUN,Failed'],
    ['not_run', 'failed'],
  ],
  [['job', 'list', '--state', 'timed out'], ['timed_out']],
  [
    ['job', 'list', '--state', 'PASSED,waiting failed', '--state', 'broken'],
    ['passed', 'waiting_failed', 'broken'],
  ],
])('%j gives the states %j', (line, state) => {
  expect(run(line).input['state']).toEqual(state);
});

test('styles may be several, too', () => {
  expect(run(['annotations', 'list', '--style', 'Error,warning']).input['style']).toEqual([
    'error',
    'warning',
  ]);
});

test.each([
  ['builds', 'list', '-s', 'failed,nope'],
  ['job', 'list', '--state', 'nope'],
  ['job', 'list', '--state', 'passed,'],
])('an unknown state is refused: %j', (...line) => {
  expect(() => parse(line)).toThrow('--state takes ');
});

test('the choice of an argument may be in any case', () => {
  expect(run(['completion', 'BASH']).input['shell']).toBe('bash');
});
