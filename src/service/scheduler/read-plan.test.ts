import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../domain/refusal.ts';
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
