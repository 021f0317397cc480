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
])('accepts the global flag %j (%s)', (line) => {
  const { name, globals } = run(line);
  expect([name, globals.json]).toEqual(['builds list', true]);
});

test.each([
  ['build', 'ls'],
  ['builds', 'list'],
])('accepts singular, plural and ls: %s %s', (...line) => {
  expect(run(line).name).toBe('builds list');
});

test("the next argument is a flag's value even if it looks like a flag", () => {
  const { input, globals } = run(['builds', 'create', '-m', '-q']);
  expect([input['message'], globals.quiet]).toEqual(['-q', false]);
});

test.each([
  [['- one'], '- one'],
  [['--all new\nlines'], '--all new\nlines'],
  [['--', '-q'], '-q'],
  [['-'], '-'],
])('reads %j as a value', (words, body) => {
  expect(run(['annotate', ...words]).input['body']).toBe(body);
});

test('keeps white space in a value after =', () => {
  expect(run(['builds', 'create', '--message=two words']).input['message']).toBe('two words');
});

test('collects repeated flags, and reads numbers and durations', () => {
  const { input } = run(['builds', 'list', '-s', 'failed', '-spassed', '-L5', '--max-wait', '1m']);
  expect(input).toMatchObject({ state: ['failed', 'passed'], limit: 5, maxWait: 60_000 });
});

test('accepts a choice or a number after = in a short flag, and leaves other text alone', () => {
  const { input } = run(['builds', 'list', '-s=failed', '-L=5', '-b=main']);
  expect(input).toMatchObject({ state: ['failed'], limit: 5, branch: ['=main'] });
});

test('accepts choices in any case, several in one value', () => {
  const { input } = run(['builds', 'list', '-s', 'Failed, passed', '-s', 'BLOCKED', '-o', 'JSON']);
  expect(input).toMatchObject({ state: ['failed', 'passed', 'blocked'], output: 'json' });
});

test('reports an error with -o JSON as with -o json', () => {
  expect(wantsJson(readCommandLine(['builds', 'list', '-o', 'JSONL']).flags, {})).toBe(true);
});

test.each([
  [['bulds', 'list'], 'unknown command "bulds"'],
  [['builds', 'lst'], 'unknown command "builds lst"'],
  [['builds', 'lsit'], 'unknown command "builds lsit"'],
  [['builds'], 'needs a subcommand'],
  [['--stat', 'builds', 'list'], 'unknown flag --stat'],
  [['builds', 'list', '--stat', 'x'], 'unknown flag --stat; did you mean --state?'],
  [['builds', 'list', '-s', 'fialed'], 'did you mean failed?'],
  [['builds', 'list', '-s', 'passed,'], 'not ""'],
  [['builds', 'list', '--limit', 'ten'], 'must be an integer'],
  [['builds', 'list', '--org'], '--org requires a value'],
  [['builds', 'list', '--all=yes'], '--all does not take a value'],
  [['builds', 'list', 'a', 'b'], 'does not take the argument "b"'],
])('rejects %j with exit code 2', (line, message) => {
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

test('prefers help to errors about missing arguments', () => {
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

test('accepts several styles too', () => {
  expect(run(['annotations', 'list', '--style', 'Error,warning']).input['style']).toEqual([
    'error',
    'warning',
  ]);
});

test.each([
  ['builds', 'list', '-s', 'failed,nope'],
  ['job', 'list', '--state', 'nope'],
  ['job', 'list', '--state', 'passed,'],
])('rejects an unknown state: %j', (...line) => {
  expect(() => parse(line)).toThrow('--state must be one of ');
});

test('the choice of an argument can be in any case', () => {
  expect(run(['completion', 'BASH']).input['shell']).toBe('bash');
});
