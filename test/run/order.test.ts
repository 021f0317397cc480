/** `cictl run`: the order in which jobs run, and which never run. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { logLines } from './output.ts';
import { pipelineIn } from './pipelines.ts';

/** The final state of each job, `LABEL STATE`, in the order of the file; and the exit code. */
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

test('a deploy after a wait does not run if a test failed, whatever reports in between', async () => {
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

test('a wait with continue_on_failure does not lift earlier waits', async () => {
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

test('prints the end of a retried job before its successor, with distinct names', async () => {
  const { stdout, exitCode } = await outcomes(`
steps:
  - label: flaky
    command: echo try $$BUILDKITE_RETRY_COUNT; test $$BUILDKITE_RETRY_COUNT = 1
    retry: { automatic: [{ exit_status: 1, limit: 1 }] }
  - command: echo same
  - command: echo same
`);
  expect(exitCode).toBe(0);
  expect(shownOf('flaky', stdout)).toEqual([
    ...['try 0', 'failed exit status 1, retried', 'try 1', 'passed'],
  ]);
  expect(shownOf('echo same', stdout)).toContain('same');
  expect(shownOf('echo same (2)', stdout)).toEqual(expect.arrayContaining(['same', 'passed']));
});

test('the end of a retried job is its own event', async () => {
  const home = await useHome();
  await pipelineIn(
    home,
    'demo',
    `steps: [{ command: 'test $$BUILDKITE_RETRY_COUNT = 1', retry: { automatic: true } }]`,
  );
  const { stdout } = await cictl(['run', 'demo', '--json'], { home });
  const events = stdout.trim().split('\n').map(readEvent);
  const finished = events.flatMap(({ job }) => (job?.exit_status === null ? [] : (job ?? [])));
  expect(finished).toMatchObject([
    { state: 'failed', exit_status: 1 },
    { state: 'passed', exit_status: 0 },
  ]);
  expect(new Set(finished.map(({ id }) => id)).size).toBe(2);
});

interface JobEvent {
  readonly job?: { readonly id: string; readonly exit_status: number | null };
}

const readEvent = (line: string): JobEvent => JSON.parse(line) as JobEvent;

/** The outcome of a job and its log lines; earlier states may be too short to be seen. */
function shownOf(name: string, output: string): string[] {
  const printed = new Set(logLines(output));
  const lines = output.split('\n').flatMap((line) => {
    if (line.includes(' | ') && !printed.has(line)) return [];
    if (line.startsWith(`${name} | `)) return [line.slice(name.length + 3)];
    const [, kind, title, state = '', note = ''] = line.split('\t');
    return kind === 'job' && title === name ? [`${state} ${note}`.trim()] : [];
  });
  return lines.filter((line) => !['scheduled', 'running'].includes(line));
}
