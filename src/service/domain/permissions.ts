import type { Pipeline, Rule, RuleType } from './records.ts';

/**
 * The scopes in the specification ("Authentication") and other scopes of the public service, which
 * clients may check for. A new scope requires a migration for the tokens that had all scopes.
 */
export const scopes = [
  'read_agents',
  'write_agents',
  'read_clusters',
  'write_clusters',
  'read_pipelines',
  'write_pipelines',
  'read_pipeline_templates',
  'write_pipeline_templates',
  'read_builds',
  'write_builds',
  'read_build_logs',
  'write_build_logs',
  'read_job_env',
  'read_artifacts',
  'write_artifacts',
  'read_rules',
  'write_rules',
  'read_teams',
  'write_teams',
  'read_organizations',
  'write_organizations',
  'read_organization_settings',
  'write_organization_settings',
  'read_organization_repository_connections',
  'read_notification_services',
  'write_notification_services',
  'read_user',
  'read_audit_events',
  'read_secrets_details',
  'write_secrets',
  'read_suites',
  'write_suites',
  'read_test_plan',
  'write_test_plan',
  'read_registries',
  'write_registries',
  'delete_registries',
  'read_packages',
  'write_packages',
  'delete_packages',
  'read_portals',
  'write_portals',
  'graphql',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a job's token, which is limited to the job's build. Annotations need no scope. */
export const jobScopes: readonly Scope[] = ['read_builds', 'read_build_logs'];

/**
 * Whether one pipeline may act on another (specification, "Rule"). All pipelines of the
 * organization may act on an unrestricted pipeline; a restricted pipeline requires a rule.
 */
export function rulesPermit(
  rules: readonly Pick<Rule, 'type' | 'sourceId' | 'targetId'>[],
  type: RuleType,
  source: Pick<Pipeline, 'id' | 'organizationId'>,
  target: Pick<Pipeline, 'id' | 'organizationId' | 'restricted'>,
): boolean {
  if (source.id === target.id) return true;
  if (source.organizationId !== target.organizationId) return false;
  if (!target.restricted) return true;
  return rules.some(
    (rule) => rule.type === type && rule.sourceId === source.id && rule.targetId === target.id,
  );
}
