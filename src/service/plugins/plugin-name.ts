import { readSource } from './source.ts';

/**
 * The name of a plugin by its source, as the public agent makes it: `docker` of `docker#v5.12.0` and of
 * `https://github.com/org/docker-buildkite-plugin.git#main`.
 */
export function pluginName(source: string): string {
  const last = locationOf(source).replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[^a-z0-9]/g, '-')
    .replaceAll('-buildkite-plugin-git', '')
    .replaceAll('-buildkite-plugin', '');
}

function locationOf(text: string): string {
  const source = readSource(text);
  if (source.kind === 'repository') return source.path;
  return source.subfolder === '' ? source.address : source.subfolder;
}
