import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPipelineFile, readPipelineFile } from './pipeline-file.ts';

function folderWith(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, '.buildkite'));
  for (const file of files) writeFileSync(join(folder, file), `# ${file}`);
  return folder;
}

const inOrder = [
  '.buildkite/pipeline.yml',
  '.buildkite/pipeline.yaml',
  '.buildkite/pipeline.json',
  'pipeline.yml',
  'pipeline.yaml',
  'pipeline.json',
];

test.each(inOrder.map((file, index) => [file, inOrder.slice(index)] as const))(
  '%s comes before the later ones',
  (file, files) => {
    const folder = folderWith(...files);
    expect(findPipelineFile(folder)).toBe(join(folder, file));
    const found = { path: join(folder, file), text: `# ${file}` };
    expect(readPipelineFile({ folder, file: null })).toEqual(found);
  },
);

test('finds no file in a directory without one, or with a directory of that name', () => {
  const folder = folderWith('other.yml');
  expect(findPipelineFile(folder)).toBeUndefined();
  mkdirSync(join(folder, 'pipeline.yml'));
  expect(findPipelineFile(folder)).toBeUndefined();
  expect(readPipelineFile({ folder, file: null })).toBeUndefined();
});

test('uses only the named file', () => {
  const folder = folderWith('pipeline.yml', 'other.yml');
  const other = join(folder, 'other.yml');
  expect(readPipelineFile({ folder, file: other })).toEqual({ path: other, text: '# other.yml' });
  expect(readPipelineFile({ folder, file: join(folder, 'gone.yml') })).toBeUndefined();
  expect(readPipelineFile({ folder, file: folder })).toBeUndefined();
});

test('reads only as much of a 5 GB file as shows that it is too large', () => {
  const folder = folderWith('pipeline.yml');
  truncateSync(join(folder, 'pipeline.yml'), 5e9);
  expect(readPipelineFile({ folder, file: null })?.text).toHaveLength(4 * 1024 * 1024 + 1);
});
