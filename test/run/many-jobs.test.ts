/** Builds with many jobs, whose processes are started by others; guarantees for each job hold. */
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { toolLine } from '../support/tool.ts';
import { logLines } from './output.ts';
import { pipelineIn } from './pipelines.ts';
import { processesWith, until } from './processes.ts';

const commands = (count: number, command: string): string =>
  JSON.stringify({ steps: Array.from({ length: count }, () => ({ command })) });

async function runMany(yaml: string, ...flags: string[]) {
  const home = await useHome();
  await pipelineIn(home, 'demo', yaml);
  return cictl(['run', 'demo', ...flags], { home });
}

test.skipIf(process.platform !== 'linux')(
  'starts most of many jobs through one other process, which ends with the service',
  async () => {
    const { exitCode, stdout } = await runMany(commands(60, 'echo "parent $$PPID"'), '--no-tty');
    expect(exitCode).toBe(0);
    const parents = [...stdout.matchAll(/parent (\d+)/g)].map(([, id]) => Number(id));
    expect(parents).toHaveLength(60);
    const last = parents.at(-1) ?? 0;
    expect(new Set(parents)).toEqual(new Set([parents[0], last]));
    expect(last).not.toBe(parents[0]);
    expect(parents.filter((id) => id === last).length).toBeGreaterThan(parents.length / 2);
    await until(async () => !(await processesWith('job-starter')).includes(last));
  },
);

test.each([
  ['in a pipe', ['--no-tty']],
  ['in a terminal', []],
])('keeps stream order, exit status and signals with many jobs, %s', async (_, flags) => {
  const work = 'for n in 1 2 3; do echo "out $$n"; echo "err $$n" >&2; done';
  const steps = [
    ...Array.from({ length: 60 }, () => ({ command: 'true' })),
    { wait: null },
    { command: work, label: 'order' },
    { command: 'exit 7', label: 'seven' },
    { command: 'kill -SEGV $$$$', label: 'signal' },
    { command: 'test -t 0 && test -t 1 && echo "a terminal" || echo "a pipe"', label: 'kind' },
  ];
  const { exitCode, stdout } = await runMany(JSON.stringify({ steps }), ...flags);
  expect(exitCode).toBe(1);
  const lines = stdout.split('\n').map((line) => line.trimEnd());
  expect(logLines(stdout).filter((line) => line.startsWith('order | '))).toEqual(
    ['out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3'].map((text) => `order | ${text}`),
  );
  expect(lines).toContain(`kind | ${flags.length > 0 ? 'a pipe' : 'a terminal'}`);
  expect(stdout).toMatch(/\tseven\tfailed\texit status 7\n/);
  expect(stdout).toMatch(/\tsignal\tfailed\tsignal SIGSEGV\n/);
});

test.skipIf(process.platform !== 'linux')(
  'if that process is killed, its jobs fail and the others run',
  async () => {
    const steps = [
      ...Array.from({ length: 60 }, () => ({ command: 'true' })),
      { wait: null },
      { command: 'kill -KILL $$PPID; sleep 1000', label: 'killer' },
      { wait: null, continue_on_failure: true },
      { command: 'echo alive', label: 'after' },
    ];
    const { exitCode, stdout } = await runMany(JSON.stringify({ steps }), '--no-tty');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('the program that starts jobs exited');
    expect(stdout).toContain('after | alive');
  },
);

test.skipIf(process.platform !== 'linux')(
  'without enough descriptors, jobs can fail but the run finishes',
  async () => {
    const home = await useHome();
    await pipelineIn(home, 'demo', commands(40, 'sleep 0.1'));
    const script = `ulimit -n 100; exec ${toolLine} run demo --no-tty --jobs 24`;
    const options = { cwd: home.cwd, env: home.env, extendEnv: false, reject: false } as const;
    const { exitCode, stderr } = await execa('bash', ['-c', script], options);
    expect(stderr).not.toContain('unexpected');
    // Jobs that cannot be started fail; the run itself may fail to connect.
    expect([0, 1, 9]).toContain(exitCode);
  },
);
