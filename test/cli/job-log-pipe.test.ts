/** `-O` to what is no file: a device or a named pipe is written to, and stays what it is. */
import { constants } from 'node:fs';
import { lstat, mkdtemp, open, readdir, rm, symlink } from 'node:fs/promises';
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
  // Both ends, so that nobody waits for the other.
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
