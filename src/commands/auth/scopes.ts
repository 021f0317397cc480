/** The scopes that cictl needs for all its commands. A missing scope leads to exit code 6. */
export const wantedScopes = [
  ...['read_builds', 'write_builds', 'read_build_logs', 'write_build_logs', 'read_job_env'],
  ...['read_rules', 'write_rules', 'read_organizations'],
];

/** Lists the needed and the missing scopes. Only counts other scopes: a token can have forty. */
export function scopeWords(scopes: readonly string[]): string {
  const known = [...wantedScopes, 'graphql'];
  const used = known.filter((name) => scopes.includes(name));
  const missing = wantedScopes.filter((name) => !scopes.includes(name));
  const others = new Set(scopes.filter((name) => !known.includes(name))).size;
  return [
    used.join(', ') || 'none that cictl uses',
    missing.length > 0 && `missing: ${missing.join(', ')}`,
    others > 0 && `${others} not used by cictl (see cictl token view)`,
  ]
    .filter(Boolean)
    .join('\n');
}
