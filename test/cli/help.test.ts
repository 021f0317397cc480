/** Help in a pipe and on terminals of several widths. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';

test.each([['builds'], ['build'], ['local pipeline']])(
  '%s help is its --help, with other flags too',
  async (noun) => {
    const home = await useHome();
    const words = noun.split(' ');
    const { stdout, exitCode } = await cictl([...words, 'help'], { home });
    expect([exitCode, stdout]).toEqual([0, (await cictl([...words, '--help'], { home })).stdout]);
    expect((await cictl([...words, 'help', '--quiet'], { home })).stdout).toBe(stdout);
  },
);

test.each([
  ['a value of a command', ['builds', 'view', 'help'], 2],
  ['one of several words', ['builds', 'help', 'list'], 2],
])('%s is not a request for help', async (_, args, code) => {
  const { exitCode, stdout } = await cictl(args, { home: await useHome() });
  expect([exitCode, stdout]).toEqual([code, '']);
});

const look = /\x1b\[1m|\x1b\[22m|\r/g;

test.skipIf(!hasTerminal)('headings are bold on a terminal', async () => {
  const home = await useHome();
  const { screen } = await cictlInTerminal(['builds', 'watch', '--help'], { home, columns: 100 });
  expect(screen).toContain('\x1b[1mFlags:\x1b[22m');
  const { stdout } = await cictl(['builds', 'watch', '--help'], { home });
  expect(screen.replace(look, '')).toBe(stdout);
});

test.skipIf(!hasTerminal).each([
  ['--help', ['builds', 'list', '--help']],
  ['help', ['help', 'builds', 'list']],
  ['help with flags', ['help', 'builds', 'list', '--quiet']],
])('a narrow terminal splits no word: %s', async (_, args) => {
  const home = await useHome();
  const { screen } = await cictlInTerminal(args, { home, columns: 40 });
  const lines = screen.replace(look, '').split('\n');
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
});

test.each([
  [{ NO_COLOR: '1' }, false],
  [{ FORCE_COLOR: '1' }, true],
])('with %j, headings are bold: %s', async (env, isBold) => {
  const { stdout } = await cictl(['--help'], { home: await useHome(), env });
  expect(stdout.includes('\x1b[1m')).toBe(isBold);
});
