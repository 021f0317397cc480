import { expect, test } from 'vitest';
import { fullPluginSource } from './plugin-source.ts';

test.each([
  ['docker#v5.12.0', 'github.com/buildkite-plugins/docker-buildkite-plugin#v5.12.0'],
  ['docker', 'github.com/buildkite-plugins/docker-buildkite-plugin'],
  ['acme/tool#main', 'github.com/acme/tool-buildkite-plugin#main'],
  ['acme/tool-buildkite-plugin#v1', 'github.com/acme/tool-buildkite-plugin#v1'],
  ['docker-buildkite-plugin', 'github.com/buildkite-plugins/docker-buildkite-plugin'],
  ...[
    ...['./.buildkite/plugins/x', '/srv/x', 'file:///srv/x#v1', 'https://host/a/b.git#v1'],
    ...['git@host:a/b.git#v1', 'ssh://git@host/a/b', 'host.example/a/b#v1', 'host.example/b'],
  ].map((source) => [source, source]),
])('%s is %s', (source, full) => {
  expect(fullPluginSource(source)).toBe(full);
});
