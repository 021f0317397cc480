/** `annotations view`. */
import { expect, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const html =
  '<h2>Lint</h2><p>See <a href="https://ci/1">the log</a></p><ul><li>one</li></ul>' +
  '<table><tr><th>File</th><th>N</th></tr><tr><td>a.ts</td><td>2</td></tr></table>';
const text = '## Lint\n\nSee the log [https://ci/1]\n\n- one\n\nFile   N\na.ts   2\n';
const lint = { id: 'i', context: 'lint', style: 'error', body_html: html, unknown_to_us: null };

const list = (...items: readonly object[]): Exchange => ({
  path: `${acme}/pipelines/web/builds/7/annotations?per_page=100`,
  answer: { json: items },
});

const view = (...args: string[]) => ['annotations', 'view', 'lint', '--build', '7', ...args];

test.each([
  [[], text],
  [['--format', 'text'], text],
  [['--format', 'html'], html],
  [['--json'], `${JSON.stringify(lint)}\n`],
  [['--fields', 'style'], 'error\n'],
  [['--jq', '.style'], 'error\n'],
])('with %j', async (args, expected) => {
  const { stdout, exitCode } = await against([list({ context: 'a' }, lint)], view(...args));
  expect([exitCode, stdout]).toEqual([0, expected]);
});

test('a missing annotation exits with 7 and suggests the list command', async () => {
  const { exitCode, stderr } = await against([list({ context: 'LINT' })], view());
  expect(exitCode).toBe(7);
  expect(stderr).toBe(
    'cictl: build acme/web/7 has no annotation with context "lint"\n' +
      '  try: cictl annotations list acme/web/7\n',
  );
});

test.each([
  [view('--format', 'html', '--json'), '--format'],
  [view('--format', 'pdf'), 'text, html'],
  [['annotations', 'view'], 'requires CONTEXT'],
])('%j exits with 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test.skipIf(!hasTerminal).each([['text'], ['html']])(
  'a terminal shows only text: %s',
  async (format) => {
    const body_html = `<p>long ${'word '.repeat(40)}\u001b]0;owned\u0007\u009b2J</p>`;
    const { url } = await serve([list({ ...lint, body_html })]);
    const { screen } = await cictlInTerminal(view('--format', format, '--no-pager'), {
      home: await useHome(),
      env: leadTo(url),
      columns: 60,
    });
    expect(screen).not.toMatch(/[\u001b\u009b\u0007]/);
    const width = Math.max(...screen.split('\r\n').map((line) => line.length));
    expect(width <= 60).toBe(format === 'text');
  },
);
