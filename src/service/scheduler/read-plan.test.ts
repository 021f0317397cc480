import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../domain/refusal.ts';
import { expectRefusal } from '../domain/scenario.ts';
import { readPlan } from './read-plan.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-plan-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a pipe in the place of a pipeline file is passed over, not waited for', () => {
  const folder = makeFolder();
  execFileSync('mkfifo', [join(folder, 'pipeline.yml')]);
  expect(() => readPlan({ folder, file: null }, {})).toThrow(Refusal);
  expect(() => readPlan({ folder, file: join(folder, 'pipeline.yml') }, {})).toThrow(Refusal);
  writeFileSync(join(folder, 'pipeline.yaml'), '[{ command: "true" }]');
  expect(readPlan({ folder, file: null }, {}).steps).toHaveLength(1);
});

test('a folder without a pipeline file is named, or the file that is not there', () => {
  const folder = makeFolder();
  const refused = (file: string | null, place: string): void => {
    const text = `There is no pipeline file in ${place}`;
    expectRefusal(() => readPlan({ folder, file }, {}), 'invalid', text);
  };
  refused(null, folder);
  refused(join(folder, 'gone.yml'), join(folder, 'gone.yml'));
});

test('all that is wrong with a file is said, a line each', () => {
  const folder = makeFolder();
  const file = join(folder, 'pipeline.yml');
  writeFileSync(file, '- nope: 1\n- nothing: 2\n');
  const read = () => readPlan({ folder, file: null }, {});
  expect(read).toThrow(Refusal);
  expect(read).toThrow(expect.objectContaining({ kind: 'invalid' }));
  expect(read).toThrow(/^the pipeline file .* has 2 problems\n.*:1:.*\n.*:2:[^\n]*$/);
});
