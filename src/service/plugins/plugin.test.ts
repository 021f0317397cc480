import { expect, test } from 'vitest';
import { pluginName, readSource } from './plugin.ts';

test.each([
  ['docker#v5.12.0', 'https://github.com/buildkite-plugins/docker-buildkite-plugin', '', 'v5.12.0'],
  ['docker', 'https://github.com/buildkite-plugins/docker-buildkite-plugin', '', null],
  ['docker#', 'https://github.com/buildkite-plugins/docker-buildkite-plugin', '', null],
  ['org/name#v1', 'https://github.com/org/name-buildkite-plugin', '', 'v1'],
  ['org/name-buildkite-plugin#v1', 'https://github.com/org/name-buildkite-plugin', '', 'v1'],
  [
    'docker#feature/x#y',
    'https://github.com/buildkite-plugins/docker-buildkite-plugin',
    '',
    'feature/x#y',
  ],
  ['github.com/org/repo#v1', 'https://github.com/org/repo', '', 'v1'],
  ['github.com/org/repo/sub/dir#v1', 'https://github.com/org/repo', 'sub/dir', 'v1'],
  ['gitlab.com/a/b/c#v1', 'https://gitlab.com/a/b', 'c', 'v1'],
  ['git.corp/a/b/c#v1', 'https://git.corp/a/b/c', '', 'v1'],
  ['git.corp/a/b.git/c#v1', 'https://git.corp/a/b.git', 'c', 'v1'],
  ['https://x.y/z.git#v1', 'https://x.y/z.git', '', 'v1'],
  ['https://x.y/z.git/sub#v1', 'https://x.y/z.git', 'sub', 'v1'],
  ['ssh://git@host/org/repo.git#v1', 'ssh://git@host/org/repo.git', '', 'v1'],
  ['git@host:org/repo.git#v1', 'git@host:org/repo.git', '', 'v1'],
  ['file:///srv/x.git/sub#v1', 'file:///srv/x.git', 'sub', 'v1'],
  ['/srv/x#v1', '/srv/x', '', 'v1'],
])('%s is fetched from %s', (text, address, subfolder, version) => {
  expect(readSource(text)).toEqual({ kind: 'git', address, subfolder, version });
});

test.each([...['./x', '../x', './.buildkite/plugins/x', '.buildkite/plugins/x']])(
  '%s is in the repository',
  (path) => {
    expect(readSource(path)).toEqual({ kind: 'repository', path });
  },
);

test.each([
  ['docker#v5', 'docker'],
  ['docker-compose#v5', 'docker-compose'],
  ['docker-buildkite-plugin#v5', 'docker'],
  ['git@host:org/My_Odd.Name-buildkite-plugin.git#v1', 'my-odd-name'],
  ['file:///srv/repo.git#v1', 'repo-git'],
  ['https://host/repo.git/sub/dir#v1', 'dir'],
  ['github.com/org/repo/sub#v1', 'sub'],
  ['./.buildkite/plugins/x', 'x'],
  ['/srv/x/', 'x'],
])('%s is named %s', (text, name) => {
  expect(pluginName(text)).toBe(name);
});
