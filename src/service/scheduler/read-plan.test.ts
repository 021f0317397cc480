import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Pipeline } from '../domain/records.ts';
import { readPlan, type PlanReading } from './read-plan.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-plan-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const build = {
  id: 'b',
  number: 1,
  url: 'u',
  branch: 'main',
  commit: 'c',
  message: 'm',
  source: 'api',
};
const ofPipeline = { id: 'p', slug: 'p', name: 'p', repository: '', defaultBranch: 'main' };
const facts = { organization: 'local', pipeline: { ...ofPipeline, provider: 'local' }, build };

const reading: PlanReading = { facts, env: {}, host: {} };

const read = (pipeline: Pick<Pipeline, 'folder' | 'file'>) =>
  readPlan(pipeline, undefined, reading);

test('skips a named pipe instead of waiting for it', async () => {
  const folder = makeFolder();
  execFileSync('mkfifo', [join(folder, 'pipeline.yml')]);
  const refusal = { name: 'Refusal', kind: 'invalid' };
  await expect(read({ folder, file: null })).rejects.toMatchObject(refusal);
  const file = join(folder, 'pipeline.yml');
  await expect(read({ folder, file })).rejects.toMatchObject(refusal);
  writeFileSync(join(folder, 'pipeline.yaml'), '[{ command: "true" }]');
  expect((await read({ folder, file: null })).steps).toHaveLength(1);
});

test('names the directory without a pipeline file, or the missing file', async () => {
  const folder = makeFolder();
  const refused = async (file: string | null, place: string): Promise<void> => {
    const message = `No pipeline file in ${place}`;
    await expect(read({ folder, file })).rejects.toMatchObject({ kind: 'invalid', message });
  };
  await refused(null, folder);
  await refused(join(folder, 'gone.yml'), join(folder, 'gone.yml'));
});

test('lists all problems of a file, one per line', async () => {
  const folder = makeFolder();
  const file = join(folder, 'pipeline.yml');
  writeFileSync(file, '- nope: 1\n- nothing: 2\n');
  await expect(read({ folder, file: null })).rejects.toMatchObject({
    ...{ name: 'Refusal', kind: 'invalid' },
    message: expect.stringMatching(
      /^the pipeline file .* has 2 problems\n.*:1:.*\n.*:2:[^\n]*$/,
    ) as string,
  });
});

test('a given pipeline is read instead of the file, under its own name', async () => {
  const given = (text: string) =>
    readPlan({ folder: makeFolder(), file: null }, { path: '(stdin)', text }, reading);
  expect((await given('[{ command: "echo $BUILDKITE_BRANCH" }]')).steps).toMatchObject([
    { command: 'echo main' },
  ]);
  await expect(given('- nope: 1')).rejects.toThrow('the pipeline file (stdin) has a problem');
});
