import { expect, test } from 'vitest';
import { useHome } from './home.ts';
import { hasTerminal, inTerminal } from './pty.ts';

test.skipIf(!hasTerminal)('gives a command a terminal with size, keys and exit code', async () => {
  const home = await useHome();
  const script =
    'test -t 0 && test -t 1 && test -t 2; stty size; printf "sure? "; read a; exit "$a"';
  const { screen, exitCode } = await inTerminal(['sh', '-ec', script], {
    home,
    columns: 91,
    rows: 17,
    keys: [{ after: 'sure?', type: '5\r' }],
  });
  expect(screen).toContain('17 91\r\n');
  expect(exitCode).toBe(5);
});
