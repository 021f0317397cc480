/** `cictl run`: which jobs run after which, and which never do. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

/** The last state of each job, `LABEL STATE`, in the order of the file; the code of the tool. */
async function outcomes(yaml: string) {
  const home = await useHome();
  await pipelineIn(home, 'demo', yaml);
  const { stdout, exitCode } = await cictl(['run', 'demo'], { home });
  const events = stdout.split('\n').map((line) => line.split('\t'));
  const states = new Map(
    events.flatMap(([, kind, name = '', state]) => (kind === 'job' ? [[name, state]] : [])),
  );
  return { exitCode, jobs: [...states].map((pair) => pair.join(' ')), stdout };
}

test('a deploy behind a plain wait does not run after a failed test, whatever reports in between', async () => {
  const { exitCode, jobs, stdout } = await outcomes(`
steps:
  - { label: test, command: exit 1 }
  - { wait: ~, continue_on_failure: true }
  - { label: report, command: echo REPORT }
  - wait
  - { label: deploy, command: echo DEPLOY }
  - { block: release, key: release }
`);
  expect(exitCode).toBe(1);
  expect(jobs).toEqual([
    ...['test failed', 'report passed', 'deploy waiting_failed', 'release blocked_failed'],
  ]);
  expect(stdout).not.toContain('| DEPLOY');
});

test('a wait that goes on after failures lifts no plain wait before it', async () => {
  const { exitCode, jobs } = await outcomes(`
steps:
  - { label: test, command: exit 1 }
  - wait
  - { label: x, command: 'true' }
  - { wait: ~, continue_on_failure: true }
  - { label: y, command: 'true' }
`);
  expect(exitCode).toBe(1);
  expect(jobs).toEqual(['test failed', 'x waiting_failed', 'y waiting_failed']);
});
