/** What all commands together need (`cictl help exit-codes`: one that is missing is code 6). */
export const wantedScopes = [
  ...['read_builds', 'write_builds', 'read_build_logs', 'write_build_logs', 'read_job_env'],
  ...['read_rules', 'write_rules', 'read_organizations'],
];

/**
 * Scopes for people: those that some command needs, which of them the token has not, and how many
 * it has besides. A token may have forty.
 */
export function scopeWords(scopes: readonly string[]): string {
  const known = [...wantedScopes, 'graphql'];
  const used = known.filter((name) => scopes.includes(name));
  const missing = wantedScopes.filter((name) => !scopes.includes(name));
  const others = new Set(scopes.filter((name) => !known.includes(name))).size;
  return [
    used.join(', ') || 'none that a command needs',
    missing.length > 0 && `missing: ${missing.join(', ')}`,
    others > 0 && `and ${others} that no command needs: cictl token view`,
  ]
    .filter(Boolean)
    .join('\n');
}
