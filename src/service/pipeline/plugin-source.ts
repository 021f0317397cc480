/**
 * Where a plugin comes from, in full, as scripts find it in `BUILDKITE_PLUGINS`:
 * `docker#v5` is `github.com/buildkite-plugins/docker-buildkite-plugin#v5`, `org/x` is
 * `github.com/org/x-buildkite-plugin`. Addresses and paths stay as they are.
 */
export function fullPluginSource(source: string): string {
  const [name = '', ...version] = source.split('#');
  const isWhole = /^[./~]|:|@|\\/.test(name);
  const parts = name.split('/');
  if (isWhole || parts.length > 2) return source;
  const [organization, plugin] = parts.length === 2 ? parts : ['buildkite-plugins', name];
  return [`github.com/${organization}/${plugin}-buildkite-plugin`, ...version].join('#');
}
