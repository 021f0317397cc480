/** What an organization of the scene has in addition to builds. */
import { at, idOf, people, site } from './members.ts';

export const organizations = [
  { slug: 'acme', name: 'Acme' },
  { slug: 'research-and-development', name: '株式会社 研究開発 Research & Development' },
].map(({ slug, name }, index) => ({
  ...{ id: idOf('1', index), graphql_id: `T3Jn${index}`, slug, name },
  ...{ url: `${site}/v2/organizations/${slug}`, web_url: `${site}/${slug}` },
  pipelines_url: `${site}/v2/organizations/${slug}/pipelines`,
  agents_url: `${site}/v2/organizations/${slug}/agents`,
  emojis_url: `${site}/v2/organizations/${slug}/emojis`,
  created_at: at('09:00:00', 2),
}));

export const rules = ['trigger_build', 'artifacts_read'].map((action, index) => ({
  ...{ uuid: idOf('2', index), graphql_id: `UnVsZQ${index}`, organization_uuid: idOf('1', 0) },
  url: `${site}/v2/organizations/acme/rules/${idOf('2', index)}`,
  ...{ type: `pipeline.${action}.pipeline`, source_type: 'pipeline', source_uuid: idOf('d', 3) },
  ...{ target_type: 'pipeline', target_uuid: idOf('d', 4), effect: 'allow', action },
  ...{ created_at: at('09:30:00', 18), created_by: people.ada },
}));

export const token = {
  uuid: idOf('3', 1),
  scopes: [
    'read_builds',
    'write_builds',
    'read_build_logs',
    'write_build_logs',
    'read_job_env',
  ].concat([
    'read_rules',
    'write_rules',
    'read_organizations',
    'graphql',
    'read_suites',
    'write_suites',
    'read_teams',
  ]),
  description: 'laptop of Ada',
  user: people.ada,
};

export const emojis = [
  { name: 'acme-logo', url: `${site}/emoji/acme-logo.png` },
  { name: 'rocket', url: `${site}/emoji/1f680.png`, aliases: ['launch', 'ship_it'] },
];

export const metrics = {
  agents: {
    ...{ idle: 3, busy: 5, total: 8 },
    queues: {
      default: { idle: 3, busy: 4, total: 7 },
      'mac-arm64-large-disk': { idle: 0, busy: 1, total: 1 },
    },
  },
  jobs: {
    ...{ scheduled: 12, running: 5, waiting: 2, total: 19 },
    queues: {
      default: { scheduled: 2, running: 4, waiting: 2, total: 8 },
      gpu: { scheduled: 10, running: 0, waiting: 0, total: 10 },
    },
  },
  organization: { slug: 'acme' },
};
