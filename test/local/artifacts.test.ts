/** `cictl local artifacts`: the artifacts of local builds. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';

/** A build with artifacts; the second job uploads one path again. */
async function useBuild(): Promise<Home> {
  const home = await useHome();
  await pipelineIn(
    home,
    'demo',
    `
steps:
  - label: first
    command: mkdir -p out/deep && printf one > out/a.txt && printf two > out/deep/b.log
    artifact_paths: out/**/*
  - wait
  - label: second
    command: printf three > out/a.txt
    artifact_paths: out/a.txt
`,
  );
  const { exitCode, stdout, stderr } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stdout + stderr).toBe(0);
  return home;
}

test('lists artifacts, filtered by a pattern too, without a running service', async () => {
  const home = await useBuild();
  const all = await cictl(['local', 'artifacts', 'demo/1'], { home });
  const rows = all.stdout.trimEnd().split('\n');
  expect(rows.map((row) => row.split('\t').slice(0, 3))).toEqual([
    ['out/a.txt', '3', 'finished'],
    ['out/deep/b.log', '3', 'finished'],
    ['out/a.txt', '5', 'finished'],
  ]);
  const args = ['local', 'artifact', 'demo/latest', '*.log', '--json'];
  const { stdout } = await cictl(args, { home });
  expect(JSON.parse(stdout)).toMatchObject([{ path: 'out/deep/b.log', dirname: 'out/deep' }]);
  const none = await cictl(['local', 'artifacts', 'demo/1', 'nothing'], { home });
  expect(none).toMatchObject({ exitCode: 0, stdout: '', stderr: 'no artifacts found\n' });
});

test('writes artifacts below a directory, the last one for each path', async () => {
  const home = await useBuild();
  const args = ['local', 'artifacts', 'download', 'demo/1', '-O', 'got/here'];
  const { exitCode, stderr } = await cictl(args, { home });
  expect([exitCode, stderr]).toEqual([0, 'wrote 2 artifacts to got/here\n']);
  const folder = join(home.cwd, 'got/here/out');
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('three');
  expect(await readFile(join(folder, 'deep/b.log'), 'utf8')).toBe('two');
});

test.each([
  ['-', '--out must be a directory, not -'],
  ['', '--out must be a directory, not ""'],
])('rejects -O %j, which is not a directory', async (out, words) => {
  const home = await useHome();
  const { exitCode, stderr } = await cictl(
    ['local', 'artifacts', 'download', 'demo/1', '-O', out],
    { home },
  );
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(await readdir(home.cwd)).toEqual([]);
});

test('if nothing matches, writes nothing and names the next step', async () => {
  const home = await useBuild();
  const args = ['local', 'artifacts', 'download', 'demo/1', 'nope/*', '-O', 'got'];
  expect(await cictl(args, { home })).toMatchObject({
    exitCode: 7,
    stderr:
      'cictl: build 1 has no artifact that matches nope/*\n  try: cictl local artifacts demo/1\n',
  });
  expect(await readdir(home.cwd)).toEqual(['demo']);
});

test('requires an existing build', async () => {
  const home = await useHome();
  expect((await cictl(['local', 'artifacts'], { home })).exitCode).toBe(2);
  expect((await cictl(['local', 'artifacts', 'demo/1'], { home })).exitCode).toBe(7);
  expect((await cictl(['local', 'artifacts', 'download', 'demo/1'], { home })).exitCode).toBe(7);
});
