/** With a control group, a service finds all processes of its jobs, even without marks. */
import { mkdirSync, readFileSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../src/service/runner/processes.ts';
import { pipelineIn } from '../run/pipelines.ts';
import { ownSleep, processesWith, until } from '../run/processes.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

/** The control group of the tests, if this user may create subgroups and move processes there. */
const ownGroup = ((): string | undefined => {
  try {
    const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '';
    const mount = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .find((line) => line.includes(' - cgroup2 '));
    const [root = '', top = ''] = mount?.split(' ').slice(3, 5) ?? [];
    const folder = join(top, path.slice(root.length), `cictl-test-${process.pid}`);
    mkdirSync(folder);
    try {
      writeFileSync(join(folder, '..', 'cgroup.procs'), String(process.pid));
    } finally {
      rmdirSync(folder);
    }
    return join(folder, '..');
  } catch {
    return undefined;
  }
})();
const mayConfine = ownGroup !== undefined;

/**
 * A pipeline whose job leaves a `sleep` without marks, in the background or as its last command.
 */
async function useEscape(seconds: string, last = 'true') {
  const home = await useHome();
  const mark = ownSleep(seconds);
  const escape = `env -i setsid bash -c '(exec 47<&-; exec ${mark} > /dev/null 2>&1 &)'`;
  await pipelineIn(home, 'demo', JSON.stringify({ steps: [{ command: `${escape}\n${last}` }] }));
  const local = (...args: string[]) => cictl(['local', ...args], { home });
  onTestFinished(() => local('down').then(() => undefined));
  const isThere = () => until(async () => (await processesWith(mark)).length > 0);
  return { home, local, mark, isThere };
}

test.runIf(mayConfine)(
  'a process that closed and cleared everything ends with the run',
  async () => {
    const { home, mark } = await useEscape('7241.', 'sleep 0.2');
    expect((await cictl(['run', 'demo'], { home })).exitCode).toBe(0);
    expect(await processesWith(mark)).toEqual([]);
    await expect(stat(join(home.dataDir, 'service.cgroup'))).rejects.toThrow('ENOENT');
  },
);

test.runIf(mayConfine)('a leftover process is killed by the next run and by down', async () => {
  const { home, mark, isThere } = await useEscape('7242.', 'sleep 1000');
  for (const next of [
    ['run', '-'],
    ['local', 'down'],
  ]) {
    const child = startCictl(['run', 'demo'], home);
    await isThere();
    const group = await readFile(join(home.dataDir, 'service.cgroup'), 'utf8');
    child.kill('SIGKILL');
    await child;
    const stdin = 'steps: [{ command: "true" }]';
    expect((await cictl(next, { home, stdin })).exitCode).toBe(0);
    expect(await processesWith(mark)).toEqual([]);
    await expect(stat(group)).rejects.toThrow('ENOENT');
  }
});

test.runIf(mayConfine)('a running service kills it too, and leaves no control group', async () => {
  const { home, local, mark, isThere } = await useEscape('7243.');
  await local('up');
  await local('pipeline', 'add', 'demo');
  await cictl(['builds', 'create', '-p', 'demo', '-c', 'HEAD', '-b', 'main', '--watch'], { home });
  await isThere();
  const group = await readFile(join(home.dataDir, 'service.cgroup'), 'utf8');
  const [left = 0] = await processesWith(mark);
  await local('down');
  expect(isRunning(left)).toBe(false);
  await expect(stat(group)).rejects.toThrow('ENOENT');
});

test.runIf(mayConfine)('any other run removes an empty group of a killed service', async () => {
  const [old, fresh] = ['old', 'new'].map((age) =>
    join(ownGroup ?? '', `cictl-${age}-${process.pid}`),
  );
  for (const folder of [old, fresh]) mkdirSync(folder ?? '');
  onTestFinished(() => rmdirSync(fresh ?? ''));
  utimesSync(old ?? '', 0, 0);
  const { home } = await useEscape('7244.');
  await cictl(['run', 'demo'], { home });
  await expect(stat(old ?? '')).rejects.toThrow('ENOENT');
  expect((await stat(fresh ?? '')).isDirectory()).toBe(true);
});
