import { lutimes, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDraft } from '../common/write-files.ts';
import { removeOldDrafts } from './write-whole-file.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const hour = 60 * 60_000;
const at = (time: number): [number, number] => [time / 1000, time / 1000];

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cictl-drafts-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const draft = (digit: number): string => `.cictl-0190046e-e199-453b-a302-a21a4d649d3${digit}.part`;

test('removes temporary files older than a day, except those still being written', async () => {
  const path = await folder();
  for (const [digit, age] of [25, 24, 23, 0].entries()) {
    await writeFile(join(path, draft(digit)), 'half');
    await utimes(join(path, draft(digit)), ...at(now - age * hour));
  }
  await removeOldDrafts(path, now);
  expect(await readdir(path)).toEqual([draft(1), draft(2), draft(3)]);
});

test('has the name of a temporary file', async () => {
  const path = await folder();
  const { file } = await openDraft(join(path, 'file'));
  await file.close();
  const [name = ''] = await readdir(path);
  await utimes(join(path, name), ...at(now - 25 * hour));
  await removeOldDrafts(path, now);
  expect(await readdir(path)).toEqual([]);
});

test.each([
  '.part',
  '.cictl-.part',
  '.cictl-notes.part',
  '.cictl-0190046e-e199-453b-a302-a21a4d649d3.part',
  '.cictl-0190046e-e199-453b-a302-a21a4d649d31.part.bak',
  'x.cictl-0190046e-e199-453b-a302-a21a4d649d31.part',
  '.cictl-0190046E-E199-453B-A302-A21A4D649D31.part',
  'cictl-0190046e-e199-453b-a302-a21a4d649d31.part',
])('keeps %s, however old', async (name) => {
  const path = await folder();
  await writeFile(join(path, name), '');
  await utimes(join(path, name), ...at(now - 1000 * hour));
  await removeOldDrafts(path, now);
  expect(await readdir(path)).toEqual([name]);
});

test('keeps links, directories and files in subdirectories with such a name', async () => {
  const [path, other] = [await folder(), await folder()];
  for (const place of [join(other, 'target'), join(other, draft(1))]) {
    await writeFile(place, 'kept');
    await utimes(place, ...at(now - 1000 * hour));
  }
  await symlink(join(other, 'target'), join(path, draft(1)));
  await symlink(other, join(path, draft(2)));
  await mkdir(join(path, draft(3)));
  await mkdir(join(path, 'below'));
  await writeFile(join(path, 'below', draft(4)), 'kept');
  for (const digit of [1, 2, 3]) await lutimes(join(path, draft(digit)), ...at(now - 1000 * hour));
  await utimes(join(path, 'below', draft(4)), ...at(now - 1000 * hour));
  await removeOldDrafts(path, now);
  expect(await readdir(path)).toEqual([draft(1), draft(2), draft(3), 'below'].sort());
  expect(await readdir(other)).toEqual([draft(1), 'target'].sort());
  expect(await readdir(join(path, 'below'))).toEqual([draft(4)]);
});

test('leaves an unreadable directory alone', async () => {
  await expect(removeOldDrafts(join(await folder(), 'none'), now)).resolves.toBeUndefined();
});
