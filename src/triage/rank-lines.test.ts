import { expect, test } from 'vitest';
import { rankLines } from './rank-lines.ts';

/** The lines of a log that come first, among lines that say nothing. */
function best(log: string, count: number): string[] {
  const filling = (word: string): string[] =>
    Array.from({ length: 60 }, (_, at) => `${word} part-${at} in ${at} ms`);
  const texts = [...filling('built'), ...log.split('\n'), ...filling('packed')];
  const lines = texts.map((text, at) => ({ at, text, isRed: false, section: null, isOpen: false }));
  return rankLines(lines)
    .slice(0, count)
    .map((place) => texts[place]?.trim() ?? '');
}

const frames = (frame: (at: number) => string): string =>
  Array.from({ length: 25 }, (_, at) => frame(at)).join('\n');

test('of exceptions of Python that follow from each other the first and the last come first', () => {
  const stack = `Traceback (most recent call last):\n${frames((at) => `  File "/app/m.py", line ${at}, in run\n    run(${at})`)}`;
  const log = [
    `${stack}\nKeyError: 'DATABASE_URL'\n`,
    'The above exception was the direct cause of the following exception:\n',
    `${stack}\nacme.ConfigError: settings are incomplete\n`,
    'During handling of the above exception, another exception occurred:\n',
    `${stack}\nSystemExit: could not start`,
  ].join('\n');
  const found = best(log, 3);
  expect(found).toContain("KeyError: 'DATABASE_URL'");
  expect(found).toContain('acme.ConfigError: settings are incomplete');
  expect(found).toContain('SystemExit: could not start');
});

test('of exceptions of Java that follow from each other the last one comes first', () => {
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

test.each([
  'Plugin acme:2.6 could not be resolved: it has not been downloaded from central. -> [Help 1]',
  '  * error: creating role web: role web already exists.',
  '[info]   15.0 did not equal 14.99 (CartSpec.scala:31)\n[info] - should round *** FAILED ***',
  'check: GET /health returned 503',
  'comparing table ledger: DIFFERENT',
  "Can't call method on an undefined value at t/cart.t line 2.",
])('says why: %s', (log) => {
  expect(log.split('\n').map((line) => line.trim())).toContain(best(log, 1)[0]);
});

test('what a list names says nothing, nor do tests that are known to fail', () => {
  const list = ['fetched cart in 1 ms', 'fetched errors in 2 ms', 'fetched store in 3 ms'];
  const log = [...list, "#   Failed (TODO) test 'rows'", ...list.slice(0, 1)].join('\n');
  expect(best(`${log}\nthe gate is closed`, 1)).toEqual(['the gate is closed']);
  expect(best(`${log}\nnot ok 3 - rounds`, 1)).toEqual(['not ok 3 - rounds']);
});

test('a line of very many dots is ranked like any other', () => {
  expect(best(`error: no store\n${'.'.repeat(500_000)}`, 1)).toEqual(['error: no store']);
});
