/** With real repositories in temporary directories, and real git. */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env as hostEnv } from 'node:process';
import { afterEach, beforeEach, expect, test, describe } from 'vitest';
import { createRepository, type GitRepository } from '../../../test/support/git-repository.ts';
import type { Json } from '../pipeline/plan.ts';
import type { PluginRequest } from './plugin.ts';
import { preparePlugins, pluginVariables } from './prepare-plugins.ts';
import { sampled } from '../../../test/support/full.ts';

describe('prepare plugins', () => {
  let root: string;
  let lines: string[];
  let repository: GitRepository;
  let first: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'cictl-plugins-'));
    lines = [];
    repository = createRepository(join(root, 'org/show-buildkite-plugin'));
    first = repository.commit({ 'hooks/command': 'echo one\n', 'sub/hooks/command': 'echo sub\n' });
    repository.git('tag', 'v1.0.0');
    await mkdir(join(root, 'home'));
    await writeFile(
      join(root, 'home/.gitconfig'),
      `[url "file://${root}/org/"]\n\tinsteadOf = https://github.com/buildkite-plugins/\n`,
    );
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  const prepare = (
    source: string,
    config: Json = null,
    more: Partial<PluginRequest> = {},
    timeout?: number,
  ) =>
    preparePlugins(
      {
        uses: [{ source, config }],
        policy: { default: 'run', named: {} },
        from: null,
        cache: join(root, 'cache'),
        env: { HOME: join(root, 'home'), PATH: hostEnv['PATH'] ?? '' },
        signal: new AbortController().signal,
        log: (line) => Promise.resolve(void lines.push(line)),
        ...more,
      },
      timeout,
    );

  function annotated(tag: string): string {
    repository.git('tag', '--annotate', '--message', 'x', tag);
    return tag;
  }

  const command = (folder = ''): Promise<string> => readFile(join(folder, 'hooks/command'), 'utf8');

  test('fetches a tag once, using the git configuration, and prints its commit', async () => {
    const [ready] = await prepare('show#v1.0.0', { image: 'x' });
    expect(ready).toMatchObject({
      name: 'show',
      isOfRepository: false,
      env: { BUILDKITE_PLUGIN_NAME: 'SHOW', BUILDKITE_PLUGIN_SHOW_IMAGE: 'x' },
    });
    expect(await command(ready?.folder)).toBe('echo one\n');
    const origin = 'https://github.com/buildkite-plugins/show-buildkite-plugin';
    expect(lines).toEqual([`Plugin show v1.0.0: commit ${first}, fetched from ${origin}`]);

    await rm(repository.folder, { recursive: true });
    lines = [];
    expect((await prepare('show#v1.0.0'))[0]?.folder).toBe(ready?.folder);
    expect(lines).toEqual([`Plugin show v1.0.0: commit ${first}, cached copy of ${origin}`]);
  });

  test.each<[string, (folder: string) => Promise<unknown>]>([
    ['is empty', (folder) => rm(folder, { recursive: true }).then(() => mkdir(folder))],
    ['is a file', (folder) => rm(folder, { recursive: true }).then(() => writeFile(folder, ''))],
    ['has lost its repository', (folder) => rm(join(folder, '.git'), { recursive: true })],
    ['has lost its commit', (folder) => rm(join(folder, '.git/HEAD'))],
    ['has lost its hooks', (folder) => rm(join(folder, 'hooks'), { recursive: true })],
  ])('fetches again if a cache directory %s', async (_, damage) => {
    const [ready] = await prepare('show#v1.0.0');
    await damage(ready?.folder ?? '');
    lines = [];
    const again = await Promise.all([prepare('show#v1.0.0'), prepare('show#v1.0.0')]);
    expect(again.map(([one]) => one?.folder)).toEqual([ready?.folder, ready?.folder]);
    expect(await command(ready?.folder)).toBe('echo one\n');
    expect(lines[0]).toContain(`commit ${first}, fetched from `);
    expect((await readdir(join(root, 'cache'))).length).toBe(1);
  });

  test('reports a missing commit, and fetches one that is only reachable by its SHA', async () => {
    await expect(prepare('show#0123456')).rejects.toThrow(
      'cannot fetch plugin show: https://github.com/buildkite-plugins/show-buildkite-plugin: the repository has no commit 0123456',
    );
    const lone = repository.commit({ 'hooks/command': 'echo lone\n' });
    repository.git('reset', '--quiet', '--hard', first);
    repository.git('update-ref', 'refs/pull/1/head', lone);
    const [ready] = await prepare(`show#${lone}`);
    expect(await command(ready?.folder)).toBe('echo lone\n');
  });

  test('looks up a branch each time, with a notice', async () => {
    const [before] = await prepare('show#main');
    const second = repository.commit({ 'hooks/command': 'echo two\n' });
    const [after] = await prepare('show#main');
    expect(await command(before?.folder)).toBe('echo one\n');
    expect(await command(after?.folder)).toBe('echo two\n');
    expect(lines[1]).toBe('Plugin show: main is a branch, so a different commit may run next time');
    expect(lines[2]).toContain(`show main: commit ${second}, fetched from`);
  });

  test('without a version, uses the default branch with a notice', async () => {
    await prepare('show');
    expect(lines).toEqual([
      expect.stringContaining(`Plugin show: commit ${first}, fetched from`),
      'Plugin show: no version is specified, so a different commit may run next time',
    ]);
  });

  sampled.each([
    ['an annotated tag', () => annotated('v2')],
    ['a commit', () => first],
    ['a short commit', () => first.slice(0, 8)],
  ])('%s is a version', async (_name, version) => {
    const [ready] = await prepare(`show#${version()}`);
    expect(await command(ready?.folder)).toBe('echo one\n');
    expect(lines).toEqual([expect.stringContaining(`commit ${first}, fetched`)]);
  });

  test('a subdirectory of a repository can be a plugin', async () => {
    createRepository(join(root, 'mono.git')).commit({ 'sub/hooks/command': 'echo sub\n' });
    const [ready] = await prepare(`file://${root}/mono.git/sub#main`);
    expect(ready).toMatchObject({ name: 'sub', env: { BUILDKITE_PLUGIN_NAME: 'SUB' } });
    expect(await command(ready?.folder)).toBe('echo sub\n');
  });

  test('the path of a repository is a valid source', async () => {
    const [ready] = await prepare(`${repository.folder}#v1.0.0`);
    expect(ready?.name).toBe('show');
  });

  test('concurrent jobs share one complete directory', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => prepare('show#v1.0.0')));
    expect(new Set(all.map(([ready]) => ready?.folder)).size).toBe(1);
    expect(await readdir(join(root, 'cache'))).toHaveLength(1);
  });

  test('an unknown version is reported with the available ones', async () => {
    repository.git('tag', 'v1.10.0');
    repository.git('tag', 'v1.9.0');
    await expect(prepare('show#v9')).rejects.toThrow(
      'cannot fetch plugin show: https://github.com/buildkite-plugins/show-buildkite-plugin: ' +
        'the repository has no version v9 (newest: v1.10.0, v1.9.0, v1.0.0); ' +
        'to use a local copy, add --plugins-from DIR; to run without it, use --plugins skip=show',
    );
    expect(await readdir(join(root, 'cache'))).toEqual([]);
  });

  test('rejects a version that looks like a flag', async () => {
    await expect(prepare('show#--upload-pack=touch x')).rejects.toThrow(
      'the repository has no version --upl',
    );
  });

  test('reports a git error with exit code, URL and possible next steps', async () => {
    await expect(prepare(`file://${root}/nowhere#v1`)).rejects.toThrow(
      /^cannot fetch plugin nowhere: file:\/\/\S+\/nowhere: git exited with code 128: .*does not.*; to use a local copy, add --plugins-from DIR; .*$/,
    );
  });

  test('never shows credentials from a URL', async () => {
    const error = await prepare('http://me:pa55word@127.0.0.1:1/x.git#v1').catch(String);
    expect(error).toContain('http://[REDACTED]@127.0.0.1:1/x.git: git exited with code 128');
    expect(error).not.toContain('pa55word');
  });

  test('reports an empty repository', async () => {
    createRepository(join(root, 'empty'));
    await expect(prepare(`${root}/empty`)).rejects.toThrow(
      `${root}/empty: the repository is empty;`,
    );
  });

  /** A git that never exits, before the real one on the PATH. */
  async function slowGit(): Promise<Record<string, string>> {
    await mkdir(join(root, 'bin'));
    const script = '#!/bin/sh\ntouch "$HOME/began"\nsleep 1000\n';
    await writeFile(join(root, 'bin/git'), script, { mode: 0o755 });
    return { HOME: join(root, 'home'), PATH: `${root}/bin:${hostEnv['PATH'] ?? ''}` };
  }

  test('a canceled job stops its fetch', async () => {
    const controller = new AbortController();
    const env = await slowGit();
    const fetch = prepare('show#v1.0.0', null, { env, signal: controller.signal });
    await expect.poll(() => readdir(join(root, 'home'))).toContain('began');
    controller.abort(new Error('canceled'));
    await expect(fetch).rejects.toThrow('canceled');
  });

  test('a fetch has a timeout', async () => {
    const env = await slowGit();
    await expect(prepare('show#v1.0.0', null, { env }, 1)).rejects.toThrow(
      'git took longer than 0.001 s',
    );
  });

  test('git never prompts', async () => {
    await mkdir(join(root, 'bin'));
    await writeFile(join(root, 'bin/git'), '#!/bin/sh\nenv > "$HOME/env"; exit 3\n', {
      mode: 0o755,
    });
    const env = {
      ...{ HOME: join(root, 'home'), PATH: `${root}/bin:${hostEnv['PATH'] ?? ''}` },
      ...{ GIT_DIR: '/nowhere', GIT_SSH_COMMAND: 'ssh -v' },
    };
    await expect(prepare('show#v1', null, { env })).rejects.toThrow('git exited with code 3;');
    const seen = await readFile(join(root, 'home/env'), 'utf8');
    expect(seen.split('\n')).toEqual(
      expect.arrayContaining([
        'GIT_TERMINAL_PROMPT=0',
        'GIT_ASKPASS=',
        'SSH_ASKPASS_REQUIRE=never',
        'GIT_SSH_COMMAND=ssh -v -o BatchMode=yes',
      ]),
    );
    expect(seen).not.toContain('GIT_DIR');
  });

  test('uses a directory of plugins instead of the network', async () => {
    await mkdir(join(root, 'given/show-buildkite-plugin'), { recursive: true });
    await mkdir(join(root, 'given/other'));
    const from = join(root, 'given');
    expect((await prepare('show#v7', null, { from }))[0]?.folder).toBe(
      `${from}/show-buildkite-plugin`,
    );
    expect((await prepare('org/other', null, { from }))[0]?.folder).toBe(`${from}/other`);
    expect(lines).toEqual([
      `Plugin show: using ${from}/show-buildkite-plugin; version v7 was not checked`,
      `Plugin other: using ${from}/other`,
    ]);
    await expect(prepare('docker#v1', null, { from })).rejects.toThrow(
      `cannot fetch plugin docker: not found in ${from} (looked for docker-buildkite-plugin ` +
        'and docker); to run without it, use --plugins skip=docker',
    );
  });

  test('reports skipped plugins and rejects forbidden ones', async () => {
    const skip = { default: 'run', named: { show: 'skip' } } as const;
    expect(await prepare('show#v1.0.0', null, { policy: skip })).toEqual([]);
    expect(lines).toEqual(['Plugin show: skipped, as requested']);
    const error = { default: 'error', named: { show: 'run' } } as const;
    expect(await prepare('show#v1.0.0', null, { policy: error })).toHaveLength(1);
    await expect(prepare('other#v1', null, { policy: error })).rejects.toThrow(
      'plugin other is not allowed here; to allow it, use --plugins run=other; to run without it, use --plugins skip=other',
    );
  });

  test('a plugin in the repository needs no fetch', async () => {
    const checkout = join(root, 'checkout');
    await mkdir(join(checkout, 'x'), { recursive: true });
    await mkdir(join(root, 'y'));
    expect(await prepare('./x', { a: 1 }, { checkout })).toMatchObject([
      { name: 'x', folder: './x', isOfRepository: true, env: { BUILDKITE_PLUGIN_X_A: '1' } },
    ]);
    expect(lines).toEqual([]);
    await prepare('../y', null, { checkout });
    expect(lines).toEqual(['Plugin y: ../y is outside the checkout, which agents do not allow']);
    await expect(prepare('./z', null, { checkout })).rejects.toThrow(
      'cannot find plugin z: the checkout has no directory ./z',
    );
  });

  test('rejects a configuration that is not a mapping', async () => {
    await expect(prepare('show#v1.0.0', ['x'])).rejects.toThrow(
      'the configuration of plugin show must be a mapping',
    );
  });

  test('the log reports a configuration that violates plugin.yml', async () => {
    const definition = [
      'name: Show',
      'requirements: [git, no-such-command-here]',
      'configuration: {properties: {image: {type: string}}, additionalProperties: false}',
    ];
    repository.commit({ 'plugin.yml': definition.join('\n') });
    repository.git('tag', 'v3');
    await prepare('show#v3', { image: 3, imgae: 'x' });
    expect(lines.slice(1)).toEqual([
      'Plugin show: according to its plugin.yml, image must be a string',
      'Plugin show: according to its plugin.yml, imgae is not a known key',
      'Plugin show: requires no-such-command-here (not found on PATH)',
    ]);
  });

  sampled.each([
    ['a: [', 'Plugin show: cannot read its plugin.yml: Flow sequence'],
    ['- a', 'Plugin show: cannot read its plugin.yml: not a mapping'],
    [
      'configuration: &a { allOf: [*a] }',
      'Plugin show: cannot read its plugin.yml: its configuration contains a circular reference',
    ],
  ])('a plugin.yml of %j is a notice', async (text, notice) => {
    repository.commit({ 'plugin.yml': text });
    repository.git('tag', 'v3');
    expect(await prepare('show#v3')).toHaveLength(1);
    expect(lines.slice(1)).toEqual([expect.stringContaining(notice)]);
  });
});

test('each configuration value becomes a variable, named as by agents', () => {
  const config = {
    image: 'node:22',
    'always-pull': true,
    retries: 3,
    ratio: 1.5,
    empty: '',
    nothing: null,
    'sp ace': 'q',
    'with.dot': 'z',
    UPPER: 'U',
    environment: ['A=1', 'B', null, ['deep'], { 'k-k': [false] }],
    map: { 'in-ner': { x: 1 } },
    none: [],
  };
  expect(pluginVariables('docker-compose', config)).toEqual({
    BUILDKITE_PLUGIN_NAME: 'DOCKER_COMPOSE',
    BUILDKITE_PLUGIN_CONFIGURATION: JSON.stringify(config),
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_IMAGE: 'node:22',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ALWAYS_PULL: 'true',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_RETRIES: '3',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_RATIO: '1.5',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_EMPTY: '',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_SP_ACE: 'q',
    'BUILDKITE_PLUGIN_DOCKER_COMPOSE_WITH.DOT': 'z',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_UPPER: 'U',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_0: 'A=1',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_1: 'B',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_3_0: 'deep',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_4_K_K_0: 'false',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_MAP_IN_NER_X: '1',
  });
});

test('consecutive underscores are kept in one name, and collapsed in another for older agents', () => {
  const config = { 'dbl--dash': 'a', dbl__u: 'b', dbl_u: 'c', '-lead': 'd' };
  expect(pluginVariables('x', config)).toMatchObject({
    BUILDKITE_PLUGIN_X_DBL__DASH: 'a',
    BUILDKITE_PLUGIN_X_DBL_DASH: 'a',
    BUILDKITE_PLUGIN_X_DBL__U: 'b',
    BUILDKITE_PLUGIN_X_DBL_U: 'c',
    BUILDKITE_PLUGIN_X__LEAD: 'd',
    BUILDKITE_PLUGIN_X_LEAD: 'd',
  });
});

test('an empty configuration sets no values', () => {
  expect(pluginVariables('x', null)).toEqual({
    BUILDKITE_PLUGIN_NAME: 'X',
    BUILDKITE_PLUGIN_CONFIGURATION: '{}',
  });
});
