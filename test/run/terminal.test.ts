/** `cictl run` on a terminal: logs go by above, the last frame stays. */
import { expect, test } from 'vitest';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { pipelineIn } from './pipelines.ts';

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
  expect(last).toMatch(/failed.*\r\n.*✓ passed.*one.*\r\n.*✗ failed.*two {2}exit status 2/);
  expect(last.endsWith('\x1b[?25h')).toBe(true);
});
