/** Specification, "Authentication"; `graphql` is the scope of the GraphQL endpoint. */
export const scopes = [
  'read_builds',
  'write_builds',
  'read_build_logs',
  'write_build_logs',
  'read_job_env',
  'read_rules',
  'write_rules',
  'read_organizations',
  'graphql',
] as const;

export type Scope = (typeof scopes)[number];

/** What the token of a job may do, in its own build; annotations besides. */
export const jobScopes: readonly Scope[] = ['read_builds', 'read_build_logs'];
