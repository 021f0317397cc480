/** Setup of every test file: records the names of the tests that ran. */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { env } from 'node:process';
import { afterAll, type RunnerTask } from 'vitest';

const root = join(import.meta.dirname, '../..');

afterAll(({}, file) => {
  const folder = env['CICTL_TESTS_RAN'];
  // Without the check, there is no such directory.
  if (folder === undefined || !existsSync(folder)) return;
  const ran = { file: relative(root, file.file.filepath), tests: file.tasks.flatMap(namesOf) };
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(ran));
});

/** Skipped tests are not recorded. */
function namesOf(task: RunnerTask): string[] {
  if (task.type === 'suite') {
    return task.tasks.flatMap(namesOf).map((name) => `${task.name} > ${name}`);
  }
  return task.result?.state === 'pass' || task.result?.state === 'fail' ? [task.name] : [];
}
