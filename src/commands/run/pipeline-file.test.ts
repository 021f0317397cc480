import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toExit } from '../../errors.ts';
import { readPipeline, readPipelineFile } from './pipeline-file.ts';

/** A working directory with these files, each containing its own name. */
async function folderWith(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), name);
  }
  return folder;
}

test.each([
  [['pipeline.yml'], undefined, 'pipeline.yml', '.', true],
  [['pipeline.yml'], 'pipeline.yml', 'pipeline.yml', '.', true],
  [['pipeline.json'], undefined, 'pipeline.json', '.', true],
  [['pipeline.yml', '.buildkite/pipeline.yaml'], undefined, '.buildkite/pipeline.yaml', '.', true],
  [['pipeline.yml', '.buildkite/pipeline.yaml'], 'pipeline.yml', 'pipeline.yml', '.', false],
  [['pipeline.yaml', 'pipeline.yml'], undefined, 'pipeline.yml', '.', true],
  [['pipeline.yml', 'other.yml'], 'other.yml', 'other.yml', '.', false],
  [['sub/pipeline.yml'], 'sub', 'sub/pipeline.yml', 'sub', true],
  [['sub/.buildkite/pipeline.yml'], 'sub', 'sub/.buildkite/pipeline.yml', 'sub', true],
  [['s/.buildkite/deploy.yml'], 's/.buildkite/deploy.yml', 's/.buildkite/deploy.yml', 's', false],
])('for %j with FILE %s: %s in %s', async (names, named, name, folder, isUsual) => {
  const cwd = await folderWith(...names);
  expect(await readPipelineFile(named, cwd)).toEqual({
    name,
    path: join(cwd, name),
    folder: join(cwd, folder),
    text: name,
    isUsual,
  });
});

test.each([
  [undefined, 'here'],
  ['sub', 'in sub'],
  ['missing.yml', 'missing.yml'],
])('a missing FILE %s exits with 2', async (named, message) => {
  const cwd = await folderWith('sub/notes.txt');
  const error: unknown = await readPipelineFile(named, cwd).catch((error: unknown) => error);
  expect(toExit(error)).toBe(2);
  expect(String(error)).toContain(message);
});

test('rejects a named pipe unread', async () => {
  const cwd = await folderWith();
  execFileSync('mkfifo', ['pipe.yml', 'pipeline.yml'], { cwd });
  await expect(readPipelineFile('pipe.yml', cwd)).rejects.toThrow(
    'pipe.yml: it is not a regular file',
  );
  await expect(readPipelineFile(undefined, cwd)).rejects.toThrow('no pipeline file here');
});

test('reads UTF-16 with its byte order mark, from a file and standard input', async () => {
  const cwd = await folderWith('pipeline.yml');
  const bytes = Buffer.from('\ufeffsteps: [wait]', 'utf16le');
  await writeFile(join(cwd, 'pipeline.yml'), bytes);
  const text = '\ufeffsteps: [wait]';
  expect(await readPipelineFile(undefined, cwd)).toMatchObject({ text });
  const stdin = { read: () => Promise.resolve(bytes) };
  expect(await readPipeline('-', { cwd, stdin: stdin as never })).toMatchObject({ text });
});

test('rejects bytes that are not text, with the name of the file', async () => {
  const cwd = await folderWith('pipeline.yml');
  await writeFile(join(cwd, 'pipeline.yml'), Buffer.from('é', 'latin1'));
  await expect(readPipelineFile(undefined, cwd)).rejects.toThrow('pipeline.yml is not valid UTF-8');
});
