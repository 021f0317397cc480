/**
 * Where a plugin comes from, in full, as scripts find it in `BUILDKITE_PLUGINS`:
 * `docker#v5` is `github.com/buildkite-plugins/docker-buildkite-plugin#v5`, `org/x` is
 * `github.com/org/x-buildkite-plugin`; a name that ends so stays. So do addresses and paths.
 */
export function fullPluginSource(source: string): string {
  const [name = '', ...version] = source.split('#');
  const isWhole = /^[./~]|:|@|\\/.test(name);
  const parts = name.split('/');
  if (isWhole || parts.length > 2) return source;
  const [first = '', second] = parts;
  if (second !== undefined && first.includes('.')) return source;
  const path = second === undefined ? `buildkite-plugins/${first}` : name;
  const suffix = path.endsWith(end) ? '' : end;
  return [`github.com/${path}${suffix}`, ...version].join('#');
}

const end = '-buildkite-plugin';
