import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processesWith, until } from '../../../test/run/processes.ts';
import { useFolder } from '../../../test/support/job.ts';
import { openStarter } from './starter.ts';

/** A program that never starts and does not notice that its service has exited. */
async function useStuck() {
  const program = join(useFolder(), 'stuck.cjs');
  writeFileSync(program, 'setInterval(() => undefined, 1000)');
  const link = openStarter(program);
  const left = () => processesWith(program);
  onTestFinished(async () => {
    for (const id of await left()) execFileSync('kill', ['-KILL', String(id)]);
  });
  await until(async () => (await left()).length > 0);
  return { link, left };
}

test('a program that never starts is killed when released', async () => {
  const { link, left } = await useStuck();
  expect(link.isReady()).toBe(false);
  link.close();
  await until(async () => (await left()).length === 0);
});

test('it is killed together with its parent process', async () => {
  const before = process.listeners('exit');
  const { link, left } = await useStuck();
  const [added] = process.listeners('exit').filter((one) => !before.includes(one));
  added?.(0);
  await until(async () => (await left()).length === 0);
  // Node reports the exit of a process a moment after it is gone.
  await until(() => !process.listeners('exit').some((one) => one === added));
  link.close();
});
