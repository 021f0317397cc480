/** Plugins and hooks with real agents: from git, from the repository, and the operator's hooks. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createRepository } from '../support/git-repository.ts';
import { eachAgent } from './each-agent.ts';

const say = (name: string): string =>
  `#!/bin/bash\necho "${name} \${BUILDKITE_PLUGIN_SHOW_WORDS_1:-}"\n`;

eachAgent('plugins and hooks run in order', async (scene) => {
  const { home } = scene;
  const plugin = createRepository(join(home.root, 'org', 'show-buildkite-plugin'));
  plugin.commit({
    'hooks/environment': `${say('plugin-environment')}export FROM_PLUGIN=yes\n`,
    'hooks/post-command': say('plugin-post-command'),
  });
  plugin.git('tag', 'v1.0.0');
  const hooks = join(home.root, 'agents', 'agent', 'hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'pre-command'), say('agent-pre-command'));
  chmodSync(join(hooks, 'pre-command'), 0o755);
  await scene.pipeline(
    `
  - key: work
    command: 'echo "command $$FROM_PLUGIN"'
    plugins:
      - file://${plugin.folder}#v1.0.0: { words: [a, b] }
      - ./own: ~`,
    {
      '.buildkite/hooks/pre-exit': say('repository-pre-exit'),
      'own/hooks/pre-command': say('own-pre-command'),
    },
  );
  scene.agent();
  const number = await scene.create();
  const { state } = await scene.settled(number);
  const log = await scene.log(number, 'work');
  expect(state, log).toBe('passed');
  const said = log
    .split('\n')
    .filter((line) => /^(plugin|agent|own|repository|command)\b/.test(line));
  expect(said.map((line) => line.trim())).toEqual([
    ...['plugin-environment b', 'agent-pre-command', 'own-pre-command', 'command yes'],
    ...['plugin-post-command b', 'repository-pre-exit'],
  ]);
});

eachAgent('a short name is a plugin of the well-known organization', async (scene) => {
  const { home } = scene;
  const plugin = createRepository(join(home.root, 'org', 'short-buildkite-plugin'));
  plugin.commit({ 'hooks/command': '#!/bin/bash\necho "short plugin"\n' });
  plugin.git('tag', 'v2');
  // Redirects the agent's git from the organization to a directory.
  const rewrite = `[url "file://${home.root}/org/"]\n\tinsteadOf = https://github.com/buildkite-plugins/\n`;
  const file = join(home.root, 'git-settings');
  writeFileSync(file, rewrite);
  await scene.pipeline('  - { key: work, plugins: [short#v2] }');
  scene.agent({ env: { GIT_CONFIG_GLOBAL: file } });
  const number = await scene.create();
  const { state } = await scene.settled(number);
  const log = await scene.log(number, 'work');
  expect(state, log).toBe('passed');
  expect(log).toContain('short plugin\n');
});
