import { expect, test } from 'vitest';
import type { Job } from '../api/resources/job.ts';
import { causesOf, clueOf } from './causes.ts';
import { excerptOf, noExcerpt } from './excerpt.ts';

const job = (more: Job = {}): Job => ({
  ...{ type: 'script', name: 'Test', step_key: 'test', command: 'make test' },
  ...{ state: 'failed', exit_status: 1, ...more },
});

const clue = (log: string, more: Job = {}) =>
  clueOf(job(more), excerptOf({ bytes: Buffer.from(log), isCut: false }, 50));

const jest = (name: string, received: number, agent: string) =>
  `FAIL src/${agent}.test.ts\n  ● ${name}\n\n    expect(received).toBe(expected)\n\n` +
  `    Expected: 119\n    Received: ${received}\n\n` +
  `      at Object.<anonymous> (/var/lib/${agent}/web/src/cart.test.ts:12:5)\n`;

test.each([
  ['numbers', 'error: 12 of 340 checks failed', 'error: 7 of 98 checks failed'],
  [
    'ports',
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'Error: connect ECONNREFUSED 10.0.0.7:81',
  ],
  ['durations', 'Error: timed out after 30.1 s', 'Error: timed out after 1m 2s'],
  ['times', '[2026-11-24T10:00:01Z] Error: no', '[2026-11-25T11:12:13.5Z] Error: no'],
  ['hashes', 'fatal: bad object 3f2a1b9', 'fatal: bad object 0141deadbeef0141deadbeef'],
  [
    'ids',
    'Error: no job 0190046e-e199-453b-a302-000000000001',
    'Error: no job 0190046e-e199-453b-a302-0000000000ff',
  ],
  ['addresses', 'Error: bad pointer 0x7ffe12', 'Error: bad pointer 0x1b'],
  ['shards', 'Error: shard (12/50) crashed', 'Error: shard (9/50) crashed'],
  ['workers', 'Error: worker3 stopped responding', 'Error: worker14 stopped responding'],
  ['pods', 'Error: pod web-7f9c6d5b8-x2x4q failed', 'Error: pod web-66d4c9b7f-abcd1 failed'],
  ['temporary paths', '/tmp/tmp.aX1/run.sh: no such file', '/tmp/tmp.bY22/run.sh: no such file'],
  [
    'temporary directories',
    "Error: EACCES: permission denied, mkdir '/tmp/tmp.aX1/b'",
    "Error: EACCES: permission denied, mkdir '/private/var/folders/x/9/T/c'",
  ],
  [
    'checkouts',
    '/var/lib/agent-1/builds/web/src/a.ts:1:2: error: x',
    '/home/ci/web/src/a.ts:9:9: error: x',
  ],
  ['prefixes', 'app-1  | Error: no database', 'Error: no database'],
  ['colors', '\x1b[31mError: no database\x1b[0m', 'Error: no database'],
  ['names of agents', jest('adds VAT', 3, 'agent-1'), jest('adds VAT', 4, 'agent-2')],
])('logs that only differ in %s have the same cause', (_, one, other) => {
  expect(clue(one).signature).toBe(clue(other).signature);
});

test.each([
  ['messages', 'Error: no database', 'Error: no network'],
  ['tests', jest('adds VAT', 3, 'a'), jest('adds postage', 3, 'a')],
  ['numbered tests', '--- FAIL: TestCart1 (0.00s)', '--- FAIL: TestCart2 (0.00s)'],
  ['test files', 'FAILED tests/a_1.py::test_x - no', 'FAILED tests/a_2.py::test_x - no'],
  ['files', 'src/a1.ts(3,5): error TS2345: no', 'src/a2.ts(3,5): error TS2345: no'],
  ['codes', 'src/a.ts(3,5): error TS2345: no', 'src/a.ts(3,5): error TS2322: no'],
  ['vulnerabilities', 'fatal: CVE-2024-1234 in x', 'fatal: CVE-2024-4321 in x'],
  ['statuses', 'Error: HTTP 404 from registry', 'Error: HTTP 503 from registry'],
  [
    'files below the line',
    'error[E0308]: mismatched types\n --> src/a.rs:3:5',
    'error[E0308]: mismatched types\n --> src/b.rs:3:5',
  ],
  [
    'files above the line',
    '/web/src/a.js\n  3:5  error  no  no-undef\n',
    '/web/src/b.js\n  3:5  error  no  no-undef\n',
  ],
  ['tools', '--- FAIL: TestCart', 'not ok 1 - TestCart'],
])('logs that differ in %s have different causes', (_, one, other) => {
  expect(clue(one).signature).not.toBe(clue(other).signature);
});

test.each([
  'Error: Process completed with exit code 1.',
  'make: *** [Makefile:3: test] Error 1',
  '3 tests failed',
  'the last line',
  '',
])('%j only has the same cause in jobs of the same step', (line) => {
  const of = (step_key: string): string => clue(`${line}\n`, { step_key }).signature;
  expect(of('lint')).toBe(of('lint'));
  expect(of('lint')).not.toBe(of('test'));
});

test('a clear error has the same cause in different steps', () => {
  const of = (step_key: string) => clue('Error: no database\n', { step_key });
  expect(of('lint')).toEqual(of('test'));
});

test.each([
  [{ state: 'expired', exit_status: null }, 'expired'],
  [{ exit_status: -1, signal_reason: 'agent_stop' }, 'failed, exit -1, agent_stop'],
  [{ exit_status: 137 }, 'failed, exit 137'],
  [{ state: 'timed_out', signal: 'SIGTERM' }, 'timed out, exit 1, SIGTERM'],
])('without a line, jobs that ended with %j have the same cause', (ending, title) => {
  const of = (step_key: string) => clueOf(job({ step_key, ...ending }), noExcerpt);
  expect(of('lint')).toEqual({ signature: title, title });
  expect(of('test')).toEqual(of('lint'));
});

test.each([
  [jest('checkout › adds VAT', 3, 'a'), 'checkout › adds VAT'],
  [
    ' FAIL  src/cart.test.ts > adds VAT 12ms\nAssertionError: expected 1 to be 2',
    'src/cart.test.ts > adds VAT',
  ],
  ['___ test_total ___\nE   assert 4 == 5\ntests/test_cart.py:12: AssertionError', 'test_total'],
  ["thread 'tests::adds' panicked at src/lib.rs:3:9:\nassertion failed: no", 'tests::adds'],
  ['--- FAIL: TestCart/empty (0.00s)\n    cart_test.go:41: got 3, want 7', 'TestCart/empty'],
  ['  1) Cart adds VAT\n     Failure/Error: expect(3).to eq 4', 'Cart adds VAT'],
  ['[  FAILED  ] Cart.AddsVat (3 ms)', 'Cart.AddsVat'],
  ['com.acme.CartTest.adds  Time elapsed: 0.01 s  <<< FAILURE!', 'com.acme.CartTest.adds'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error: connect ECONNREFUSED …'],
  ['exit status 1', 'Test: exit status 1'],
])('the cause of %j is called %j', (log, title) => {
  expect(clue(log).title).toBe(title);
});

const causes = (...jobs: readonly Job[]) =>
  causesOf(
    jobs.map((one) => ({ job: job(one), earlier: [] })),
    jobs.map(({ name }) => ({ signature: name ?? '', title: '' })),
  ).map(({ signature, members }) => [signature, members]);

test('sorts causes by their jobs, then by the first failure, and soft failures last', () => {
  const at = (second: number): string => `2026-11-24T10:00:0${second}Z`;
  expect(
    causes(
      { name: 'late', finished_at: at(9) },
      { name: 'often', finished_at: at(8) },
      { name: 'early', finished_at: at(1) },
      { name: 'often', finished_at: at(7) },
      { name: 'soft', soft_failed: true },
      { name: 'soft', soft_failed: true },
      { name: 'early', soft_failed: true },
    ),
  ).toEqual([
    ['often', [3, 1]],
    ['early', [2, 6]],
    ['late', [0]],
    ['soft', [4, 5]],
  ]);
});
