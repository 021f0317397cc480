/** `builds watch` on a terminal: the frame, the final line, the bell and interrupts. */
import { expect, test } from 'vitest';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal, type TerminalOptions } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const started_at = '2026-01-01T00:00:00Z';
const times = { started_at, finished_at: '2026-01-01T00:00:29Z' };
const jobs = [
  { id: 'a', name: ':rocket: Upload', state: 'passed', ...times },
  { id: 'b', name: 'End to end', state: 'failed', exit_status: 1, ...times },
];
const look = (state: string, rest: object = {}): Exchange => ({
  path: '/v2/organizations/acme/pipelines/web/builds/8',
  answer: { json: { id: 'b8', number: 8, pipeline: { slug: 'web' }, state, jobs, ...rest } },
});

async function watching(
  flags: readonly string[],
  exchanges: readonly Exchange[],
  options: Partial<TerminalOptions> = {},
) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const args = ['builds', 'watch', 'web/8', '--no-color', ...flags];
  const { screen, exitCode } = await cictlInTerminal(args, {
    ...{ home: await useHome(), env, columns: 80 },
    ...options,
  });
  return { screen, exitCode, end: screen.split('\x1b[?25h')[1] ?? '' };
}

test.skipIf(!hasTerminal)('prints the end in a line, and the bell rings once', async () => {
  const { screen, exitCode, end } = await watching(['--bell'], [look('failed', times)]);
  expect(exitCode).toBe(1);
  expect(end.replace('\x07', '')).toBe(
    '✗ web #8 failed in 0:29: End to end (exit 1) → cictl builds failures web/8\r\n',
  );
  expect(screen.split('\x07')).toHaveLength(2);
  expect(screen).toMatch(/✓ passed {2}🚀 Upload {58}29s\r\n/);
});

test.skipIf(!hasTerminal)('CI=true turns off the animation', async () => {
  const { url } = await serve([look('failed', times)]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CI: 'true' };
  const args = ['builds', 'watch', 'web/8', '--no-color'];
  const { screen, exitCode } = await cictlInTerminal(args, { home: await useHome(), env });
  expect([exitCode, screen]).toEqual([1, expect.not.stringContaining('\x1b')]);
  expect(screen).toContain('\tEnd to end\tfailed\t');
});

test.skipIf(!hasTerminal)(
  'without --bell there is none, and a passed build is reported',
  async () => {
    const { screen, exitCode, end } = await watching([], [look('passed', times)]);
    expect([exitCode, end]).toEqual([0, '✓ web #8 passed in 0:29\r\n']);
    expect(screen).not.toContain('\x07');
  },
);

test.skipIf(!hasTerminal)(
  'Ctrl-C ends the watch, and says that the build is still running',
  async () => {
    const { exitCode, end } = await watching(['-i', '1h'], [look('running', { started_at })], {
      keys: [{ after: 'web #8', type: '\x03' }],
    });
    expect([exitCode, end]).toEqual([
      130,
      'cictl: interrupted: the build continues; to watch it again: cictl builds watch web/8\r\n',
    ]);
  },
);

test.skipIf(!hasTerminal)('no line of a 40-column frame is wider', async () => {
  const long = { commit: '0'.repeat(40), branch: 'feature/a-very-long-name-of-a-branch', ...times };
  const { screen } = await watching([], [look('canceled', long)], { columns: 40 });
  const [frame = ''] = screen.split('\x1b[?25h');
  const lines = frame.replace(/\x1b\[\??\d*[A-Za-z]|\r/g, '').split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
  expect(frame).toContain('⊘ web #8 canceled in 0:29   2/2 done');
});
