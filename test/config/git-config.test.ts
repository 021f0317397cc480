/** `git config cictl.org` and `cictl.pipeline` as settings. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { createRepository, type GitRepository } from '../support/git-repository.ts';
import { useHome, type Home } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';
import { serve } from '../support/server.ts';

interface Scene {
  readonly home: Home;
  readonly repository: GitRepository;
}

async function useScene(): Promise<Scene> {
  const home = await useHome();
  return { home, repository: createRepository(join(home.root, 'checkout')) };
}

/** Lists builds; returns the requested path and what `--debug` prints about settings. */
async function listed(
  { home, repository }: Scene,
  env: Record<string, string> = {},
  { args = [] as readonly string[], cwd = repository.folder } = {},
) {
  const { url, requests } = await serve([{ path: /builds/, answer: { json: [] } }]);
  const { exitCode, stderr } = await cictl(['builds', 'list', '--debug', ...args], {
    home,
    cwd,
    env: { CICTL_BASE_URL: url, CICTL_TOKEN: 't', ...env },
  });
  expect(exitCode).toBe(0);
  const sources = [...stderr.matchAll(/(?:org|pipeline) comes from .*/g)].map(String);
  return { path: requests[0]?.path.split('?')[0], sources };
}

const ofPipeline = '/v2/organizations/acme/pipelines/web/builds';
const fromGit = [
  'org comes from git config cictl.org',
  'pipeline comes from git config cictl.pipeline',
];

function name({ repository }: Scene, ...where: string[]): void {
  repository.git('config', ...where, 'cictl.org', 'acme');
  repository.git('config', ...where, 'cictl.pipeline', 'web');
}

test('the checkout sets organization and pipeline, and --debug says so', async () => {
  const scene = await useScene();
  name(scene);
  expect(await listed(scene)).toEqual({ path: ofPipeline, sources: fromGit });
  const below = join(scene.repository.folder, 'src/deep');
  await mkdir(below, { recursive: true });
  expect((await listed(scene, {}, { cwd: below })).path).toBe(ofPipeline);
});

test('a variable and a flag override it, and it overrides the current profile', async () => {
  const scene = await useScene();
  name(scene);
  const profiles = { current: 'work', profiles: { work: { org: 'other', pipeline: 'site' } } };
  await mkdir(scene.home.configDir);
  await writeFile(join(scene.home.configDir, 'profiles.json'), JSON.stringify(profiles));
  expect((await listed(scene)).path).toBe(ofPipeline);
  const path = (await listed(scene, { CICTL_PIPELINE: 'env' }, { args: ['--org', 'flag'] })).path;
  expect(path).toBe('/v2/organizations/flag/pipelines/env/builds');
  const named = await listed(scene, {}, { args: ['--profile', 'work'] });
  expect(named.path).toBe('/v2/organizations/other/pipelines/site/builds');
});

test('a worktree uses the names of its repository', async () => {
  const scene = await useScene();
  name(scene);
  scene.repository.commit({ file: 'x' });
  const cwd = join(scene.home.root, 'tree');
  scene.repository.git('worktree', 'add', '--quiet', cwd);
  expect((await listed(scene, {}, { cwd })).path).toBe(ofPipeline);
});

test("uses the user's git config, includes too, in any directory", async () => {
  const scene = await useScene();
  const home = scene.home.env['HOME'] ?? '';
  await writeFile(join(home, 'ci.inc'), '[cictl]\n\torg = acme\n\tpipeline = web\n');
  await writeFile(join(home, '.gitconfig'), '[include]\n\tpath = ci.inc\n');
  expect((await listed(scene, {}, { cwd: scene.home.cwd })).sources).toEqual(fromGit);
});

test('uses git config from the environment', async () => {
  const variables = {
    ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'cictl.org', GIT_CONFIG_VALUE_0: 'acme' },
    ...{ GIT_CONFIG_KEY_1: 'cictl.pipeline', GIT_CONFIG_VALUE_1: 'web' },
  };
  expect((await listed(await useScene(), variables)).sources).toEqual(fromGit);
});

test('starts git only if a file may contain such a name', async () => {
  const scene = await useScene();
  const seen = join(scene.home.root, 'seen');
  const git = `#!/bin/sh\n: > '${seen}'\n`;
  const { PATH = '' } = await withPrograms(scene.home, { git });
  expect((await listed(scene, { PATH })).path).toBe('/v2/builds');
  expect(existsSync(seen)).toBe(false);
  name(scene);
  await listed(scene, { PATH });
  expect(existsSync(seen)).toBe(true);
});

test('changes use them too', async () => {
  const scene = await useScene();
  name(scene);
  const { stdout } = await cictl(['builds', 'cancel', '3', '--dry-run', '--yes'], {
    home: scene.home,
    cwd: scene.repository.folder,
    env: { CICTL_TOKEN: 't', CICTL_BASE_URL: 'http://127.0.0.1:1' },
  });
  expect(stdout).toBe(`PUT http://127.0.0.1:1${ofPipeline}/3/cancel\n`);
});
