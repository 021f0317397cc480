import { expect, test } from 'vitest';
import { rankLines } from './rank-lines.ts';
import type { LogLine } from './sections.ts';

const many = (word: string, length = 60): string[] =>
  Array.from({ length }, (_, at) => `${word} part-${at} in ${at} ms`);

const logOf = (texts: readonly string[]): LogLine[] =>
  texts.map((text, at) => ({ at, text, isRed: false, section: null, isOpen: false }));

/** The highest-ranked lines of a log, surrounded by irrelevant lines; `after` of them follow. */
function best(log: string, count: number, after = 60): string[] {
  const texts = [...many('built'), ...log.split('\n'), ...many('packed', after)];
  return rankLines(logOf(texts))
    .slice(0, count)
    .map((place) => texts[place]?.trim() ?? '');
}

const frames = (frame: (at: number) => string): string =>
  Array.from({ length: 25 }, (_, at) => frame(at)).join('\n');

test('ranks the first and last of chained Python exceptions first', () => {
  const stack = `Traceback (most recent call last):\n${frames((at) => `  File "/app/m.py", line ${at}, in run\n    run(${at})`)}`;
  const log = [
    `${stack}\nKeyError: 'DATABASE_URL'\n`,
    'The above exception was the direct cause of the following exception:\n',
    `${stack}\nacme.ConfigError: settings are incomplete\n`,
    'During handling of the above exception, another exception occurred:\n',
    `${stack}\nSystemExit: could not start`,
  ].join('\n');
  const outermost = ["KeyError: 'DATABASE_URL'", 'SystemExit: could not start'];
  expect(best(log, 2).sort()).toEqual(outermost);
  expect(best(log, 3)).toContain('acme.ConfigError: settings are incomplete');
});

test('ranks the last of chained Java exceptions first', () => {
  const log = [
    'acme.BeanError: no bean ledger',
    frames((at) => `\tat acme.Boot.run(Boot.java:${at})`),
    'Caused by: acme.StoreException: no store',
    frames((at) => `\tat acme.Store.open(Store.java:${at})`),
    'Caused by: java.net.ConnectException: Connection refused',
    '\t... 31 common frames omitted',
  ].join('\n');
  expect(best(log, 1)).toEqual(['Caused by: java.net.ConnectException: Connection refused']);
  expect(best(log, 3)).toContain('Caused by: acme.StoreException: no store');
});

/** So far from the end that the position does not matter. */
const far = 200;

test.each([
  [
    'Plugin acme:2.6 could not be resolved: it has not been downloaded from central. -> [Help 1]',
    'the cache is missing',
  ],
  ['  * error: creating role web: role web already exists.', 'the cache is missing'],
  ['cart.total did not equal 14.99', 'the request timed out'],
  ['check: GET /health returned 503', 'the cache is missing'],
  ['comparing table ledger: DIFFERENT', 'one of the failures'],
  ["Can't call method on an undefined value at t/cart.t line 2.", 'the request timed out'],
])('%j explains more than %j', (line, weaker) => {
  expect(best(`${line}\n${weaker}`, 1, far)).toEqual([line.trim()]);
  expect(best(weaker, 1, far)).toEqual([weaker]);
});

test('a message that names a failed test outranks a possible problem', () => {
  const failed = '[info] - should round *** FAILED ***';
  expect(best(`${failed}\nthe request timed out`, 1, far)).toEqual([failed]);
});

test.each([
  'Error: worker 3 stopped responding',
  'fatal: database container was stopped before migrations ran',
  'E   AssertionError: status is FAILED, expected SUCCESS',
  'E AssertionError: status is FAILED, expected SUCCESS',
  '❌  Errors: the stack named Errors was deleted: ROLLBACK_COMPLETE',
])('%j outranks a possible problem although it contains a word of routine work', (line) => {
  expect(best(`${line}\nthe request timed out`, 1, far)).toEqual([line]);
});

test.each(['result: failed', 'Result: FAIL', 'status: failed', 'Overall result: FAILURE'])(
  'the summary %j does not outrank the reason',
  (summary) => {
    const reason = 'check: GET /health returned 503';
    expect(best(`${reason}\nchecked 40 pages\n${summary}`, 1)).toEqual([reason]);
  },
);

test.each([
  ['@acme/web:test: ', '@acme/ui:test: '],
  ['apps/web test: ', 'packages/ui test: '],
  ['app-1    | ', 'cache-1  | '],
  ['#18 4.101 ', '#19 4.101 '],
  ['[2026-11-23T10:02:11Z] ', '[2026-11-23T10:02:12Z] '],
  ['[api] ', '[web] '],
  ['[INFO] ', '[INFO] '],
])('finds the reason after the prefixes %j and %j', (prefix, other) => {
  const reason = `E   ValueError: no rate for the country`;
  const stack = `Traceback (most recent call last):\n  File "/app/m.py", line 3, in run\n    run(3)`;
  const lines = [...many('loaded'), ...stack.split('\n'), reason].map((line) => prefix + line);
  const texts = [...many('ok').map((line) => other + line), ...lines];
  expect(texts[rankLines(logOf(texts))[0] ?? 0]).toBe(prefix + reason);
});

test('a unique line outranks the last of repeated ones, however far above', () => {
  expect(best('the form is blue', 2, far)).toEqual([
    'the form is blue',
    'packed part-199 in 199 ms',
  ]);
});

test('ignores lists of names and tests that are known to fail', () => {
  const list = ['fetched cart in 1 ms', 'fetched errors in 2 ms', 'fetched store in 3 ms'];
  const log = [...list, "#   Failed (TODO) test 'rows'", ...list.slice(0, 1)].join('\n');
  expect(best(`${log}\nthe gate is closed`, 1)).toEqual(['the gate is closed']);
  expect(best(`${log}\nnot ok 3 - rounds`, 1)).toEqual(['not ok 3 - rounds']);
  const [, name = ''] = list;
  expect(best(`${name}\nthe gate is closed`, 1, far)).toEqual([name]);
});

test('ranks a line of very many dots like any other', () => {
  expect(best(`error: no store\n${'.'.repeat(500_000)}`, 1)).toEqual(['error: no store']);
});

test('ranks the first of two identical messages above its repetition', () => {
  const message = 'the schema of table orders is invalid';
  const texts = [...many('built'), message, ...many('tested'), message, ...many('packed')];
  expect(rankLines(logOf(texts))[0]).toBe(texts.indexOf(message));
});

test('names the last command before the clean-up if it failed without a message', () => {
  const log = ['+ cp a b', "+ grep -q '^version: 2' manifest.yaml", '+ rm -rf scratch'].join('\n');
  expect(best(log, 1)).toEqual(["+ grep -q '^version: 2' manifest.yaml"]);
  expect(best(`+ scripts/check\nthe gate is closed\n+ rm -rf scratch`, 1, 2)).not.toEqual([
    '+ scripts/check',
  ]);
});

test('ignores errors of a service other than the one that exited', () => {
  const texts = [
    ...many('db-1   | started'),
    'db-1   | FATAL:  the database system is starting up',
    ...many('app-1  | loaded'),
    'app-1  | the request timed out',
    'app-1 exited with code 1',
  ];
  expect(texts[rankLines(logOf(texts))[0] ?? 0]).toBe('app-1  | the request timed out');
});

test('ranks warnings like errors if the log says that warnings are errors', () => {
  const warning = 'WARNING -  index.md contains a link to setup.md, which does not exist';
  expect(best(`${warning}\n\nAborted with 1 warnings in strict mode!`, 1, 0)).toEqual([warning]);
});
