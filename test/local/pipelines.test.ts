/** `local pipeline`, `org`, `user` and `token`, with a running service and without. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { createRepository } from '../support/git-repository.ts';
import { createHome, useHome, type Home } from '../support/home.ts';

let home: Home;
beforeAll(async () => {
  home = await createHome();
  await pipelineIn(home, 'web', "steps: [{ command: 'true' }]");
  await cictl(['local', 'up'], { home });
});
afterAll(async () => {
  await cictl(['local', 'down'], { home });
  await home.remove();
});

const local = (...args: string[]) => cictl(['local', ...args], { home });

test('adds, uses, lists and removes a pipeline', async () => {
  const added = await local('pipeline', 'add', 'web', '--slug', 'site', '--restricted', '--json');
  expect(added.exitCode, added.stderr).toBe(0);
  expect(JSON.parse(added.stdout)).toMatchObject({
    slug: 'site',
    folder: join(home.cwd, 'web'),
    restricted: true,
  });
  const build = await cictl(['builds', 'create', '-p', 'site', '-c', 'HEAD', '-b', 'main'], {
    home,
  });
  expect(build.exitCode, build.stderr).toBe(0);

  const list = await local('pipeline', 'list', '--fields', 'slug,restricted');
  expect(list.stdout).toContain('site\ttrue\n');
  const asked = await local('pipeline', 'remove', 'site');
  expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  await cictl(['run', 'web'], { home });
  expect((await local('pipeline', 'remove', 'site', '--yes')).exitCode).toBe(0);
  expect((await local('pipeline', 'list', '--fields', 'slug')).stdout).not.toContain('site');
});

test('commands in its directory find an added pipeline at once', async () => {
  const create = ['builds', 'create', '-c', 'HEAD', '-b', 'main', '--dry-run'];
  const chosen = async (folder: string) => {
    const { stdout } = await cictl(create, { home, cwd: join(home.cwd, folder) });
    return /pipelines\/(.*)\/builds/.exec(stdout)?.[1];
  };
  await pipelineIn(home, 'plain/deep', 'steps: []');
  expect(await chosen('plain/deep')).toBe(undefined);
  await local('pipeline', 'add', 'plain/deep', '--slug', 'plain');
  await mkdir(join(home.cwd, 'plain/deep/below'));
  expect([await chosen('plain/deep/below'), await chosen('plain')]).toEqual(['plain', undefined]);

  const { commit, git } = createRepository(join(home.cwd, 'repo'));
  commit({ 'pipeline.yml': 'steps: []', 'docs/pipeline.yml': 'steps: []' });
  git('worktree', 'add', '--quiet', '../tree');
  await symlink('repo', join(home.cwd, 'link'));
  await local('pipeline', 'add', 'link', '--slug', 'all');
  await local('pipeline', 'add', 'repo/docs', '--slug', 'docs');
  // A pipeline that was added before there was a remote keeps the directory as its repository.
  git('remote', 'add', 'origin', 'git@ci.example:acme/repo.git');
  const found = await Promise.all(['repo', 'tree', 'tree/docs', 'link/docs'].map(chosen));
  expect(found).toEqual(['all', 'all', 'docs', 'docs']);
  await local('pipeline', 'remove', 'docs', '--yes');
  expect(await chosen('repo/docs')).toBe('all');
});

test('a second directory of the same name needs --slug, and the message says so', async () => {
  for (const folder of ['one/shop', 'two/shop']) await pipelineIn(home, folder, 'steps: []');
  expect((await local('pipeline', 'add', 'one/shop')).exitCode).toBe(0);
  const { exitCode, stderr } = await local('pipeline', 'add', 'two/shop');
  expect([exitCode, stderr]).toEqual([
    8,
    `cictl: Pipeline shop already uses ${join(home.cwd, 'one/shop')}; to add another, use a different --slug\n`,
  ]);
});

test("after runs of several files, the default file is the directory's pipeline", async () => {
  const folder = join(home.cwd, 'both');
  await pipelineIn(home, 'both', "steps: [{ command: 'true' }]");
  await writeFile(join(folder, 'nightly.yml'), "steps: [{ command: 'true' }]");
  for (const words of [['run'], ['run', 'nightly.yml'], ['local', 'pipeline', 'add', '.']]) {
    const { exitCode, stderr } = await cictl(words, { home, cwd: folder });
    expect(exitCode, stderr).toBe(0);
  }
  const create = ['builds', 'create', '-c', 'HEAD', '-b', 'main', '--dry-run'];
  expect((await cictl(create, { home, cwd: folder })).stdout).toContain('/pipelines/both/builds');
});

test('reports a file in place of a directory', async () => {
  await pipelineIn(home, 'checkout', "steps: [{ command: 'true' }]");
  await execa('git', ['init', '--quiet', join(home.cwd, 'checkout')]);
  const { exitCode, stderr } = await local('pipeline', 'add', 'checkout/pipeline.yml');
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('No such directory: ')]);
});

test('changes the settings of a pipeline', async () => {
  await local('pipeline', 'add', 'web', '--slug', 'tuned');
  const changes = ['default_branch=trunk', 'skip_queued_branch_builds=true'];
  const { stdout, exitCode } = await local('pipeline', 'set', 'tuned', ...changes, '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    default_branch: 'trunk',
    skip_queued_branch_builds: true,
  });
});

test('a description is visible in GraphQL, and an empty value removes it', async () => {
  await local('pipeline', 'add', 'web', '--slug', 'described');
  const query = '{ pipeline(slug: "local/described") { description } }';
  const shown = async (value: string): Promise<unknown> => {
    const set = await local('pipeline', 'set', 'described', `description=${value}`);
    expect(set.exitCode, set.stderr).toBe(0);
    const { stdout } = await cictl(['graphql', query], { home });
    return (JSON.parse(stdout) as { data: { pipeline: { description: unknown } } }).data.pipeline
      .description;
  };
  expect(await shown('The web site')).toBe('The web site');
  expect(await shown('')).toBe(null);
});

test("a token of another organization's member sees only that organization", async () => {
  expect((await local('org', 'add', 'acme')).exitCode).toBe(0);
  const user = ['user', 'add', 'Ada', '--email', 'ada@example.com', '--org', 'acme'];
  expect((await local(...user)).exitCode).toBe(0);
  const made = await local(
    'token',
    'create',
    '--user',
    'Ada',
    '--org',
    'acme',
    '--scope',
    'read_builds',
  );
  expect(made.exitCode, made.stderr).toBe(0);
  const env = { CICTL_TOKEN: made.stdout.trim() };
  const list = (org: string) => cictl(['builds', 'list', '--org', org], { home, env });
  expect((await list('acme')).exitCode).toBe(0);
  expect((await list('local')).exitCode).toBe(7);
});

test.each([
  [['pipeline', 'add', 'nowhere'], 2, 'nowhere'],
  [['pipeline', 'add', 'web', '--slug', 'a/b'], 2, 'a/b'],
  [['pipeline', 'add'], 2, 'DIR'],
  [['pipeline', 'remove', 'nope', '--yes'], 7, 'No pipeline found'],
  [['pipeline', 'remove', 'tuend', '--yes'], 7, 'did you mean tuned?'],
  [['pipeline', 'set', 'tunde', 'default_branch=x'], 7, 'did you mean tuned?'],
  [['pipeline', 'set', 'web', 'color=red'], 2, 'color'],
  [['pipeline', 'set', 'web', 'skip_queued_branch_builds=maybe'], 2, 'true or false'],
  [['user', 'add', 'Bob'], 2, '--email'],
  [['token', 'create', '--scope', 'fly'], 8, 'fly'],
])('local %j exits with %i', async (args, code, text) => {
  const { exitCode, stdout, stderr } = await local(...args);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(text);
});

test('opens a stopped service for the duration of the command', async () => {
  const own = await useHome();
  await pipelineIn(own, 'web', "steps: [{ command: 'true' }]");
  const add = await cictl(['local', 'pipeline', 'add', 'web'], { home: own });
  expect(add.exitCode, add.stderr).toBe(0);
  expect((await cictl(['local', 'status'], { home: own })).exitCode).toBe(9);
  const list = await cictl(['local', 'pipeline', 'list', '--fields', 'slug'], { home: own });
  expect(list.stdout).toBe('web\n');
});
