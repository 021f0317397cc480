/** `cictl run` on a terminal: logs scroll by above, and the last frame stays. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal, inTerminal } from '../support/pty.ts';
import { pipelineIn } from './pipelines.ts';
import { ownSleep, processesWith, until } from './processes.ts';
import { toolLine } from '../support/tool.ts';

test.skipIf(!hasTerminal)('shows a frame that ends with the outcome of every job', async () => {
  const home = await useHome();
  await pipelineIn(
    home,
    'demo',
    `steps: [{ label: one, command: 'printf "\\033[31mred\\033[0m\\n"' }, { label: two, command: 'exit 2' }]`,
  );
  const { screen, exitCode } = await cictlInTerminal(['run', 'demo'], { home });
  expect(exitCode).toBe(1);
  expect(screen).toContain('\x1b[31mred\x1b[0m');
  const last = screen.slice(screen.lastIndexOf('demo #1'));
  expect(last).toMatch(/failed.*\r\n.*✓ passed.*one.*\r\n.*✗ failed.*two {2,}exit 2/);
  expect(last.endsWith('\x1b[?25h')).toBe(true);
});

test.skipIf(!hasTerminal)('log headers show emojis, other lines their text', async () => {
  const home = await useHome();
  const command = `printf '%s\\n' '--- :rocket: Go' '+++ :our-own: on' 'a :rocket: b'`;
  await pipelineIn(home, 'demo', `steps: [{ label: one, command: "${command}" }]`);
  const { screen } = await cictlInTerminal(['run', 'demo', '--no-color'], { home });
  const log = screen.match(/one \| .*/g)?.map((line) => line.trim());
  expect(log?.slice(-3)).toEqual(['one | --- 🚀 Go', 'one | +++ our-own on', 'one | a :rocket: b']);
});

test.skipIf(!hasTerminal)(
  'a terminal without cursor movement gets one line per change',
  async () => {
    const home = await useHome();
    await pipelineIn(home, 'demo', `steps: [{ label: one, command: 'echo here' }]`);
    const env = { TERM: 'dumb' };
    const { screen, exitCode } = await cictlInTerminal(['run', 'demo'], { home, env });
    expect([exitCode, screen]).toEqual([0, expect.stringContaining('one | here\r\n')]);
    expect(screen).not.toContain('\x1b');
  },
);

test.skipIf(!hasTerminal)(
  'closing the terminal ends the build and leaves nothing running',
  async () => {
    const home = await useHome();
    const mark = ownSleep('7105.');
    await pipelineIn(home, 'demo', `steps: [{ command: 'touch ready; ${mark}' }]`);
    // The inner shell outlives the terminal to report the exit code; the outer one does not.
    const run = `${toolLine} run demo 2> errors; echo $? > code`;
    const line = `(trap "" HUP; ${run}); true`;
    const terminal = execa('script', ['--quiet', '--command', line, '/dev/null'], {
      ...{ cwd: home.cwd, env: { ...home.env, SHELL: '/bin/sh' }, extendEnv: false },
      ...{ reject: false, buffer: false },
    });
    const isThere = (name: string) => stat(join(home.cwd, name)).then(Boolean, () => false);
    await until(() => isThere('demo/ready'));
    terminal.kill('SIGKILL');
    await until(() => isThere('code'));
    // 128 plus the signal number.
    await expect.poll(() => readFile(join(home.cwd, 'code'), 'utf8')).toBe('129\n');
    expect(await readFile(join(home.cwd, 'errors'), 'utf8')).not.toMatch(/Assert|stack/);
    expect(await processesWith(mark)).toEqual([]);
  },
);

test.skipIf(!hasTerminal)('handles several signals from a closed terminal', async () => {
  const home = await useHome();
  const mark = ownSleep('7106.');
  const wait = (name: string) => `until test -e ${name}; do sleep 0.05; done`;
  const command = `trap "touch leaving; ${wait('second')}; touch left" TERM; touch ready; ${mark}`;
  const cwd = await pipelineIn(home, 'demo', `steps: [{ command: '${command}' }]`);
  const hangUp = 'kill -HUP $run';
  const line = [
    `${toolLine} run & run=$!`,
    ...[wait('ready'), hangUp, wait('leaving'), hangUp, 'sleep 0.3; touch second; wait $run'],
  ].join('\n');
  const { exitCode } = await inTerminal(['sh', '-c', line], { home, cwd });
  expect(exitCode).toBe(129);
  expect(await stat(join(cwd, 'left')).then(Boolean, () => false)).toBe(true);
  expect(await processesWith(mark)).toEqual([]);
});
