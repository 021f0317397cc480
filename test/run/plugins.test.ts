/** `cictl run` with plugins: fetches them from local repositories and runs their hooks. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtCictl as cictl } from '../support/cli.ts';
import { createRepository } from '../support/git-repository.ts';
import { useHome, type Home } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

/** A home whose git finds the well-known organization in a directory. */
async function usePlugins(): Promise<{ home: Home; plugins: string }> {
  const home = await useHome();
  const plugins = join(home.root, 'org');
  const rewrite = `[url "file://${plugins}/"]\n\tinsteadOf = https://github.com/buildkite-plugins/\n`;
  await writeFile(join(home.env['HOME'] ?? '', '.gitconfig'), rewrite);
  return { home, plugins };
}

test('git finds plugins by settings in the environment', async () => {
  const home = await useHome();
  const repository = createRepository(join(home.root, 'org', 'say-buildkite-plugin'));
  repository.commit({ 'hooks/command': 'echo "said"\n' });
  repository.git('tag', 'v1');
  await pipelineIn(home, 'demo', 'steps: [{ label: build, plugins: [say#v1] }]');
  const file = join(home.root, 'git-settings');
  const rewrite = `[url "file://${home.root}/org/"]\n\tinsteadOf = https://github.com/buildkite-plugins/\n`;
  await writeFile(file, rewrite);
  const env = { GIT_CONFIG_GLOBAL: file };
  const { stdout, stderr, exitCode } = await cictl(['run', 'demo'], { home, env });
  expect(exitCode, stdout + stderr).toBe(0);
  expect(stdout).toContain('build | said');
});

const show = (name: string): string =>
  `echo "${name}: $BUILDKITE_PLUGIN_NAME $BUILDKITE_PLUGIN_SHOW_WORDS_1"\n`;

test('fetches a plugin, and only its hooks get its configuration', async () => {
  const { home, plugins } = await usePlugins();
  const repository = createRepository(join(plugins, 'show-buildkite-plugin'));
  const commit = repository.commit({
    'hooks/environment': `${show('environment')}export FROM_PLUGIN=yes\n`,
    'hooks/post-command': show('post-command'),
  });
  repository.git('tag', 'v1.0.0');
  await pipelineIn(
    home,
    'demo',
    `
steps:
  - label: build
    command: 'echo "command: $$FROM_PLUGIN [$$BUILDKITE_PLUGIN_NAME]"'
    plugins:
      - show#v1.0.0: { words: [a, b] }
`,
  );
  const { stdout, stderr, exitCode } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stdout + stderr).toBe(0);
  const lines = stdout.split('\n').map((line) => line.replace(/^build \| /, ''));
  const origin = 'https://github.com/buildkite-plugins/show-buildkite-plugin';
  expect(lines).toEqual(
    expect.arrayContaining([
      `Plugin show v1.0.0: commit ${commit}, fetched from ${origin}`,
      'environment: SHOW b',
      'command: yes []',
      'post-command: SHOW b',
    ]),
  );
});

test('a plugin that cannot be fetched fails its job in one line, and the build continues', async () => {
  const { home, plugins } = await usePlugins();
  await pipelineIn(
    home,
    'demo',
    `
steps:
  - { label: build, command: echo never, plugins: [missing#v1] }
  - { label: other, command: echo other }
`,
  );
  const { stdout, exitCode } = await cictl(['run', 'demo'], { home });
  expect(exitCode).toBe(1);
  expect(stdout).toContain('other | other');
  expect(stdout).not.toContain('build | never');
  const [line] = stdout.split('\n').filter((text) => text.includes('cannot fetch plugin'));
  expect(line).toContain(
    'cannot fetch plugin missing: https://github.com/buildkite-plugins/missing-buildkite-plugin: git exited with code 128: ',
  );
  expect(line).toContain(`${plugins}/missing-buildkite-plugin`);
  expect(line).toContain('--plugins-from DIR');
  expect(line).toContain('--plugins skip=missing');
});

test('a plugin in the repository runs from the checkout', async () => {
  const home = await useHome();
  await pipelineIn(
    home,
    'demo',
    'steps: [{ label: build, command: echo never, plugins: [{ ./own: { word: hi } }] }]',
  );
  const checkout = createRepository(join(home.cwd, 'demo'));
  checkout.commit({ 'own/hooks/command': 'echo "own $BUILDKITE_PLUGIN_OWN_WORD"\n' });
  const { stdout, stderr, exitCode } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stdout + stderr).toBe(0);
  expect(stdout).toContain('build | own hi');
  expect(stdout).not.toContain('never');
});

test('an unused name in --plugins gives one notice with a suggestion', async () => {
  const { home } = await usePlugins();
  await pipelineIn(
    home,
    'demo',
    `
steps:
  - { label: build, command: echo ran, plugins: [{ org/show#v1: { word: hi } }, ecr#v1] }
  - { label: left out, skip: true, command: echo ran, plugins: [docker#v1] }
`,
  );
  const run = (...args: string[]) => cictl(['run', 'demo', ...args], { home });
  const known = await run('--plugins', 'skip=Show,ecr-buildkite-plugin,docker', '--plan');
  expect([known.exitCode, known.stderr]).toEqual([0, '']);
  const plan = await run('--plugins', 'skip=shwo,ecr,aws-ssm', '--plan');
  expect(plan.exitCode).toBe(0);
  expect(plan.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /no step in the file uses the plugin shwo from --plugins; did you mean show\?$/,
    ),
    expect.stringMatching(/no step in the file uses the plugin aws-ssm from --plugins$/),
  ]);
  const ran = await run('--plugins', 'skip', '--plugins', 'run=aws-ssm');
  expect([ran.exitCode, ran.stderr.match(/aws-ssm/g)]).toEqual([0, ['aws-ssm']]);
});

test('plugins are skipped, rejected or taken from a directory', async () => {
  const { home } = await usePlugins();
  const yaml = `
steps:
  - { label: build, command: echo ran, plugins: [{ show#v1: { word: hi } }] }
`;
  await pipelineIn(home, 'demo', yaml);
  const run = (...args: string[]) => cictl(['run', 'demo', ...args], { home });
  const skipped = await run('--plugins', 'skip=show');
  expect([skipped.exitCode, skipped.stdout]).toEqual([0, expect.stringContaining('build | ran')]);
  expect(skipped.stdout).toContain('build | Plugin show: skipped, as requested');

  const refused = await run('--plugins', 'error');
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('The step on line 3 uses the plugin show');

  const given = createRepository(join(home.root, 'given/show'));
  given.commit({ 'hooks/pre-command': 'echo "given $BUILDKITE_PLUGIN_SHOW_WORD"\n' });
  const taken = await run('--plugins-from', join(home.root, 'given'));
  expect(taken.exitCode, taken.stderr).toBe(0);
  expect(taken.stdout).toContain('build | given hi');
});

test('omits configuration that the system cannot pass on, and the hooks run', async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    `steps: [{ label: build, plugins: [{ ./big: { text: ${'x'.repeat(140_000)}, other: here } }] }]`,
  );
  await mkdir(join(folder, 'big', 'hooks'), { recursive: true });
  const hook = 'echo "<$BUILDKITE_PLUGIN_BIG_OTHER${BUILDKITE_PLUGIN_BIG_TEXT-}>"\n';
  await writeFile(join(folder, 'big', 'hooks', 'command'), hook);
  const { stdout, exitCode } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain('omitted the variable BUILDKITE_PLUGIN_BIG_TEXT');
  expect(stdout).toContain('build | <here>\n');
});
