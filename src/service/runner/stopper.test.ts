import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useFolder } from '../../../test/support/job.ts';
import { killLeftovers } from './processes.ts';
import { createProcessGroup } from './stopper.ts';

test('a process that holds many files, logs included, does not belong to their job', () => {
  const logs = useFolder();
  const logFile = join(logs, 'log');
  writeFileSync(logFile, '');
  // One of these descriptors has the number that job processes use as their mark.
  const open = Array.from({ length: 60 }, () => openSync(logFile, 'r'));
  onTestFinished(() => open.forEach((descriptor) => closeSync(descriptor)));
  const group = createProcessGroup({ jobId: 'none', logFile });
  // No process has this ID.
  group.add(2 ** 22 + 1);
  expect(group.isAlive()).toBe(false);
  expect(killLeftovers({ jobIds: [], logs })).toBe(0);
});
