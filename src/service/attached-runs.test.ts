import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pid } from 'node:process';
import { expect, test } from 'vitest';
import { createAttachedRuns } from './attached-runs.ts';

test('counts a process as long as it is there, and never this one', async () => {
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
