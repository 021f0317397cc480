/** `-O` with a device or named pipe writes to it and does not replace it. */
import { constants } from 'node:fs';
import { lstat, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { against } from '../support/against.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const log = {
  path: `/v2/organizations/acme/pipelines/web/builds/7/jobs/${id}/log.txt`,
  answer: { body: 'a\nb\n' },
};

test.skipIf(process.platform === 'win32').each(['pipe', 'link'])('-O %s', async (out) => {
  const cwd = await mkdtemp(join(tmpdir(), 'cictl-pipe-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const pipe = join(cwd, 'pipe');
  await execa('mkfifo', [pipe]);
  await symlink('pipe', join(cwd, 'link'));
  // Opens both ends, so that neither blocks.
  const bothEnds = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => bothEnds.close());
  const args = ['job', 'log', `web/7#${id}`, '--no-cache', '-O', out];
  const { exitCode, stderr } = await against([log], args, { cwd });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  expect(await readdir(cwd)).toEqual(['link', 'pipe']);
  const { buffer, bytesRead } = await bothEnds.read(Buffer.alloc(100), 0, 100);
  expect(buffer.toString('utf8', 0, bytesRead)).toBe('a\nb\n');
});

test.skipIf(process.platform === 'win32')('-O through a link writes its target', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'cictl-link-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'file'), 'before');
  await symlink('file', join(cwd, 'link'));
  // Like `/dev/stdout`, which may lead to a file.
  await symlink('/dev/null', join(cwd, 'null'));
  await symlink('/proc/self/fd/1', join(cwd, 'stdout'));
  for (const out of ['link', 'null', 'stdout'])
    await against([log], ['job', 'log', `web/7#${id}`, '--no-cache', '-O', out], { cwd });
  expect(await readFile(join(cwd, 'file'), 'utf8')).toBe('a\nb\n');
  for (const link of ['link', 'null', 'stdout'])
    expect((await lstat(join(cwd, link))).isSymbolicLink(), link).toBe(true);
});
