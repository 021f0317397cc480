import { expect, test } from 'vitest';
import { excerptOf, fitExcerpt } from './excerpt.ts';

function of(log: string | Uint8Array, count = 50, isCut = false) {
  const excerpt = excerptOf({ bytes: Buffer.from(log), isCut }, count);
  const limits = { lines: count, maxCauses: 1, maxLineBytes: 1e6, maxJobBytes: 1e6, maxBytes: 1e6 };
  const fitted = fitExcerpt(excerpt, 1e6, limits, 'cictl job log web/7#a');
  const { section, lines, omitted_lines: omitted } = fitted;
  return { section, lines, omitted };
}

const agentLog = (command: string, after = '') =>
  [
    '~~~ Preparing working directory\n$ git clone\nCloning\n',
    '~~~ Running global environment hook\n$ /hooks/environment\nsecret noise\n',
    '--- of the hook\nhook section\n',
    '~~~ Running plugin docker pre-command hook\npulling\n',
    command,
    after,
    '~~~ Running plugin junit post-command hook\n$ collect\n--- :junit: Download\njunit noise\n',
    '~~~ Uploading artifacts\nUploading 12 files\n',
    '~~~ Running agent pre-exit hook\n# noise at the end\n',
  ].join('');

test.each<[string, string, string | null, string[]]>([
  ['no section', 'one\ntwo\n', null, ['one', 'two']],
  ['nothing', '', null, []],
  ['blank lines at the end', 'one\n\n \n', null, ['one']],
  ['no newline at the end', 'one', null, ['one']],
  ['the last section', '--- A\na\n--- B\nb\n', 'B', ['--- A', 'a', '--- B', 'b']],
  [
    'what ran before goes',
    agentLog('~~~ Running commands\n$ make\nboom\n'),
    'Running commands',
    ['~~~ Running commands', '$ make', 'boom'],
  ],
  [
    'sections of the command',
    agentLog('~~~ Running script\n--- Test\nboom\n'),
    'Test',
    ['~~~ Running script', '--- Test', 'boom'],
  ],
  [
    'a command hook is the command',
    agentLog('~~~ Running plugin docker command hook\nboom\n'),
    'Running plugin docker command hook',
    ['~~~ Running plugin docker command hook', 'boom'],
  ],
  [
    'the agent does not say where it begins',
    '~~~ Running global environment hook\nnoise\n--- Test\nboom\n~~~ Uploading artifacts\nnoise\n',
    'Test',
    ['--- Test', 'boom'],
  ],
  [
    'muted sections of the command',
    '--- Test\nboom\n~~~ Details\nmore\n',
    'Details',
    ['--- Test', 'boom', '~~~ Details', 'more'],
  ],
  [
    'a section of the command named like one of the agent',
    '--- Uploading artifacts\ndenied\n',
    'Uploading artifacts',
    ['--- Uploading artifacts', 'denied'],
  ],
  [
    'the section that asks to be opened',
    '--- A\na\n^^^ +++\n--- Clean up\nbye\n',
    'A',
    ['--- A', 'a'],
  ],
  [
    'a hook that kept the command from running',
    '~~~ Preparing working directory\nok\n~~~ Running global pre-command hook\ndenied\n^^^ +++\n~~~ Running agent pre-exit hook\nbye\n',
    'Running global pre-command hook',
    ['~~~ Running global pre-command hook', 'denied'],
  ],
  [
    'a checkout that failed',
    '~~~ Preparing working directory\nfatal: no such commit\n~~~ Running agent pre-exit hook\n$ bye\n',
    'Preparing working directory',
    ['~~~ Preparing working directory', 'fatal: no such commit'],
  ],
  [
    'a hook that failed after the command',
    '~~~ Running commands\nok\n~~~ Running global post-command hook\nboom\n^^^ +++\n',
    'Running global post-command hook',
    ['~~~ Running global post-command hook', 'boom'],
  ],
  [
    'colours, marks, progress',
    '\x1b_bk;t=1\x07\x1b[31m--- A\x1b[0m\r\n\x1b_bk;t=2\x07 1%\r50%\r\x1b[Kdone\r\n',
    'A',
    ['--- A', 'done'],
  ],
  [
    'results of go test are no sections',
    '--- Test\n=== RUN   TestCart\n    cart_test.go:9: got 11, want 12\n--- FAIL: TestCart (0.00s)\n--- PASS: TestUser (0.00s)\n',
    'Test',
    [
      '--- Test',
      '=== RUN   TestCart',
      '    cart_test.go:9: got 11, want 12',
      '--- FAIL: TestCart (0.00s)',
      '--- PASS: TestUser (0.00s)',
    ],
  ],
  [
    'the names of files that are compared are no sections',
    '--- Check\n\x1b[1m--- a/api.yml\x1b[m\n\x1b[1m+++ b/api.yml\x1b[m\n@@ -1 +1 @@\n-3\n+4\n',
    'Check',
    ['--- Check', '--- a/api.yml', '+++ b/api.yml', '@@ -1 +1 @@', '-3', '+4'],
  ],
  [
    'one section after the other may look nearly like them',
    '--- Old\n+++ New\nfatal: no such commit\n',
    'New',
    ['--- Old', '+++ New', 'fatal: no such commit'],
  ],
  ['a title and a clipboard', '\x1b]0;title\x07\x1b]52;c;aGk=\x07safe\n', null, ['safe']],
])('%s', (_, log, section, lines) => {
  expect(of(log)).toEqual({ section, lines, omitted: 0 });
});

test('bytes that are not UTF-8 become U+FFFD', () => {
  expect(of(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x0a])).lines).toEqual(['a��(']);
});

test('keeps characters beyond ASCII in lines and names', () => {
  expect(of('--- :tada: Prüfung 試験\nschlecht 🦊\n')).toEqual({
    section: ':tada: Prüfung 試験',
    lines: ['--- :tada: Prüfung 試験', 'schlecht 🦊'],
    omitted: 0,
  });
});

test('shows only the last lines, and counts the ones before', () => {
  expect(of('--- A\n1\n2\n3\n\n', 2)).toEqual({ section: 'A', lines: ['2', '3'], omitted: 2 });
});

test('drops the torn first line of a range, whose offset is unknown', () => {
  expect(of('31mtorn\nwhole\n', 50, true)).toEqual({
    section: null,
    lines: ['whole'],
    omitted: null,
  });
});

test('shows a range without any newline', () => {
  expect(of('x'.repeat(300_000), 50, true).lines.join('')).toHaveLength(300_000);
});

const filler = (name: string, count = 200): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at} of ${count}, 0 errors\n`).join('');

test('picks the reason from the middle, and names the command that shows omitted lines', () => {
  const log = `--- Test\n${filler('checked')}error: no such table\n${filler('cleaned')}bye\n`;
  expect(of(log, 8)).toEqual({
    section: 'Test',
    lines: [
      'error: no such table',
      'cleaned 0 of 200, 0 errors',
      'cleaned 1 of 200, 0 errors',
      'cleaned 2 of 200, 0 errors',
      'cleaned 3 of 200, 0 errors',
      '[truncated: 195 lines, see cictl job log web/7#a --head 401 --tail 195]',
      'cleaned 199 of 200, 0 errors',
      'bye',
    ],
    omitted: 201,
  });
});

test('shows up to three lines instead of a gap marker', () => {
  const errors = Array.from({ length: 9 }, (_, at) => `error: no table t${at}\n${filler('b', 6)}`);
  const bytes = Buffer.from(`${filler('a')}${errors.join('')}${filler('c')}`);
  const limits = { lines: 30, maxCauses: 1, maxLineBytes: 999, maxJobBytes: 9999, maxBytes: 9999 };
  const { lines } = fitExcerpt(excerptOf({ bytes, isCut: false }, 200), 9999, limits, null);
  const markers = lines.filter((line) => line.startsWith('[truncated:'));
  expect(markers.map((line) => Number(/\d+/.exec(line)?.[0])).filter((gap) => gap <= 3)).toEqual(
    [],
  );
  expect(markers).not.toEqual([]);
});

test('a cut in a range is shown by the last lines from there on', () => {
  const log = `torn\n${filler('checked')}error: no such table\n${filler('cleaned')}bye\n`;
  expect(of(log, 4, true).lines).toEqual([
    'error: no such table',
    'cleaned 0 of 200, 0 errors',
    'cleaned 1 of 200, 0 errors',
    '[truncated: 199 lines, see cictl job log web/7#a --tail 199]',
  ]);
});

test.each([
  [
    'names of tests that pass',
    'ok 4 - throws an error\n✓ fails without a name\ntest errors ... ok\n',
  ],
  ['what is ignored', 'fatal: [a]: FAILED! => {"rc": 1}\n...ignoring\nError: gone (ignored)\n'],
  [
    'what was cleaned up',
    "Error response from daemon: No such container: b\nrm: cannot remove 'x'\n",
  ],
  ['counts of none', 'Failures: 0, Errors: 0\n0 failed\nno errors\n'],
  ['warnings', 'src/a.c:3:1: warning: unused error\nnpm warn deprecated: failed-once\n'],
])('%s are not the reason', (_, noise) => {
  const log = `${noise.repeat(3)}${filler('a')}x.c:9:1: error: no such member\n${filler('b')}${noise}end\n`;
  expect(of(log, 1).lines).toEqual(['x.c:9:1: error: no such member']);
});

test('shows the first failed test, and truncates the list of the others', () => {
  const list = ['a', 'b', 'c', 'd'].map((name) => `  ✕ ${name}\n`).join('');
  const report = '  ● a\n    expected 3 to be 4\n    at a.test.js:3:1\n';
  const later = '  ● b\n    expected 5 to be 6\n    at b.test.js:3:1\n';
  const log = `${filler('ran', 40)}${list}${report}${filler('ran', 40)}${later}${filler('x', 40)}`;
  const { lines } = of(log, 8);
  expect(lines).toContain('    expected 3 to be 4');
  expect(lines).not.toContain('    expected 5 to be 6');
});

test('uses red text if there is no better sign', () => {
  const log = `${filler('a')}\x1b[1;31mthe lights are out\x1b[0m\n${filler('b')}`;
  expect(of(log, 1).lines).toEqual(['the lights are out']);
});

test('shows part of the strongest line if only that fits', () => {
  const excerpt = excerptOf(
    { bytes: Buffer.from(`${filler('a')}error: no such table\n`), isCut: false },
    9,
  );
  const limits = { lines: 9, maxCauses: 1, maxLineBytes: 99, maxJobBytes: 99, maxBytes: 99 };
  expect(fitExcerpt(excerpt, 10, limits, null)).toMatchObject({
    lines: ['error: no'],
    last_line: 'error: no',
    truncated: true,
  });
});

test("for a command that printed nothing, the agent's line is the reason", () => {
  const error = '🚨 Error: The command exited with status 3';
  const log = `~~~ Running commands\r\n$ exit 3\r\n^^^ +++\r\n${error}\r\n`;
  const excerpt = excerptOf({ bytes: Buffer.from(log), isCut: false }, 9);
  const limits = { lines: 9, maxCauses: 1, maxLineBytes: 99, maxJobBytes: 99, maxBytes: 99 };
  expect(fitExcerpt(excerpt, 99, limits, null)).toMatchObject({ lines: [error], last_line: error });
});

test("shows the message of Ansible's JSON first", () => {
  const rest = `"cmd": "${'migrate '.repeat(40)}", "delta": "0:00:01"`;
  const { lines } = of(
    `fatal: [web-1]: FAILED! => {"changed": true, ${rest}, "msg": "no \\"rate\\"", "rc": 3}`,
  );
  expect(lines).toEqual([
    `fatal: [web-1]: FAILED! => {"msg": "no \\"rate\\"", "changed": true, ${rest}, "rc": 3}`,
  ]);
});

test.each([
  ['a word', `data:${'A1'.repeat(1_000_000)}`],
  ['a repeated mark of Ansible', `${'failed: x '.repeat(200_000)} => {`],
])('reads a line of 2 MB that consists of %s', (_, line) => {
  const { lines } = excerptOf({ bytes: Buffer.from(`${line}\nError: boom\n`), isCut: false }, 50);
  expect(lines.find(({ rank }) => rank === 0)?.text).toBe('Error: boom');
});
