import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { kill, pid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createAttachedRuns } from './attached-runs.ts';

test('counts a process while it exists, and never its own', async () => {
  const attachedRuns = createAttachedRuns();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  attachedRuns.add(pid);
  attachedRuns.add(child.pid ?? 0);
  expect(attachedRuns.count()).toBe(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(attachedRuns.count()).toBe(0);
});

test('accepts no processes after leaving, and cannot leave while one is attached', async () => {
  const attachedRuns = createAttachedRuns();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  expect(attachedRuns.add(child.pid ?? 0)).toBe(true);
  expect(attachedRuns.leave()).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(attachedRuns.leave()).toBe(true);
  expect(attachedRuns.add(1)).toBe(false);
  expect(attachedRuns.count()).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'a zombie does not count, though its pid still exists',
  async () => {
    const parent = spawn('bash', ['-c', 'sleep 1000 & echo $!; exec tail -f /dev/null'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const zombie = Number(line.toString());
    // The parent must have become a program that does not wait for its children.
    while (!(await readFile(`/proc/${parent.pid ?? 0}/comm`, 'latin1')).startsWith('tail'))
      await sleep(5);
    kill(zombie, 'SIGKILL');
    while (!/\) Z /.test(await readFile(`/proc/${zombie}/stat`, 'latin1'))) await sleep(5);
    const attachedRuns = createAttachedRuns();
    attachedRuns.add(zombie);
    expect(attachedRuns.count()).toBe(0);
  },
);
