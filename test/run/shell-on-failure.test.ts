/** `--shell-on-failure` opens a shell after a job has failed. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { pipelineIn } from './pipelines.ts';

const failing = `
steps:
  - { label: fine, command: 'true' }
  - label: bad
    key: bad
    env: { ONLY: here }
    secrets: [DEPLOY_TOKEN]
    command: 'echo the reason; exit 7'
`;

test.skipIf(!hasTerminal)(
  "has the job's directory, environment and secrets, and exits with the build's code",
  async () => {
    const home = await useHome();
    const folder = await pipelineIn(home, 'demo', failing);
    const { screen, exitCode } = await cictlInTerminal(
      ['run', 'demo', '--shell-on-failure', '--secret', 'DEPLOY_TOKEN'],
      {
        home,
        env: { DEPLOY_TOKEN: 'hunter22' },
        keys: [
          {
            after: /cictl \S+ [$#] /,
            type: 'echo "<$ONLY $BUILDKITE_STEP_KEY ${#DEPLOY_TOKEN} $PWD>"; exit 3\n',
          },
        ],
      },
    );
    expect(exitCode, screen).toBe(1);
    expect(screen).toContain(`<here bad 8 ${folder}>`);
    const above = screen.slice(0, screen.indexOf('opening a shell in'));
    expect(above.lastIndexOf('the reason')).toBeGreaterThan(above.lastIndexOf('demo #1'));
  },
);

test.skipIf(!hasTerminal)('a passed build opens no shell', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', "steps: [{ command: 'true' }]");
  const { screen, exitCode } = await cictlInTerminal(['run', 'demo', '--shell-on-failure'], {
    home,
  });
  expect([exitCode, screen.includes('opening a shell in')]).toEqual([0, false]);
});

test.skipIf(!hasTerminal)('choosing none of several failed jobs opens no shell', async () => {
  const home = await useHome();
  const one = '{ command: exit 3, depends_on: [] }';
  await pipelineIn(home, 'demo', `steps: [${one}, ${one}]`);
  const { screen, exitCode } = await cictlInTerminal(['run', 'demo', '--shell-on-failure'], {
    home,
    keys: [{ after: '❯', type: '\x04' }],
  });
  expect([exitCode, screen.includes('opening a shell in')]).toEqual([1, false]);
});

test.each([
  [[], 'requires a terminal'],
  [['--workspace', 'copy'], '--workspace copy cannot be used together'],
  [['--plan'], '--plan and --shell-on-failure'],
])('without a terminal, and with %j, it exits with 2', async (args, why) => {
  const home = await useHome();
  await pipelineIn(home, 'demo', failing);
  const { exitCode, stderr } = await cictl(['run', 'demo', '--shell-on-failure', ...args], {
    home,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(why);
});
