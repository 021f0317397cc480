/** "Authentication", scopes, "Errors", "Limits". */
import type { Row } from '../../rows/problems.ts';
import { section } from './section.ts';

const authentication = 'test/contract/authentication.test.ts';
const limits = 'test/contract/limits.test.ts';
const errors = 'test/contract/errors.test.ts';
const local = (name: string): string => `test/service/${name}.test.ts`;
const build = '/v2/organizations/local/pipelines/p/builds/1';

export const access: readonly Row[] = [
  ...section('Authentication', authentication, {
    REST: 'REST: GET /v2/builds by "Bearer TOKEN" is 200',
    'REST: no other scheme': 'REST: GET /v2/builds by "Token TOKEN" is 401',
    'REST: no other token': 'REST: GET /v2/builds by "Bearer AGENT" is 401',
    'access token: its own header': 'access token: GET /v2/access-token by "Bearer TOKEN" is 200',
    'access token: none without it': 'access token: GET /v2/access-token by "" is 401',
    GraphQL: 'GraphQL: GET /v1 by "Bearer TOKEN" is 200',
    'GraphQL: no other scheme': 'GraphQL: GET /v1 by "Token TOKEN" is 401',
    metrics: 'metrics: GET /v3/metrics by "Token AGENT" is 200',
    'metrics: no other token': 'metrics: GET /v3/metrics by "Bearer TOKEN" is 401',
    'metrics: no other scheme': 'metrics: GET /v3/metrics by "Bearer AGENT" is 401',
  }),
  ...section('Authentication', local('graphql'), {
    'GraphQL: the scope of it': 'requires a token with its scope, and reports it in its own format',
  }),
  ...section('Authentication', local('organization'), {
    'metrics: of the organization of the token': 'metrics count slots and jobs by queue',
  }),
  ...section('Scopes', local('access'), {
    read_builds: 'GET /v2/builds needs read_builds',
    'read_builds, one build': `GET ${build} needs read_builds`,
    'read_builds, annotations': `GET ${build}/annotations needs read_builds`,
    write_builds: 'POST /v2/organizations/local/pipelines/p/builds needs write_builds',
    'write_builds, cancel': `PUT ${build}/cancel needs write_builds`,
    'write_builds, rebuild': `PUT ${build}/rebuild needs write_builds`,
    'write_builds, retry': 'PUT JOB/retry needs write_builds',
    'write_builds, unblock': 'PUT JOB/unblock needs write_builds',
    'write_builds, annotations': `POST ${build}/annotations needs write_builds`,
    read_build_logs: 'GET JOB/log needs read_build_logs',
    'read_build_logs, .txt': 'GET JOB/log.txt needs read_build_logs',
    'read_build_logs, .html': 'GET JOB/log.html needs read_build_logs',
    write_build_logs: 'DELETE JOB/log needs write_build_logs',
    read_job_env: 'GET JOB/env needs read_job_env',
    'read_job_env, .txt': 'GET JOB/env.txt needs read_job_env',
    read_rules: 'GET /v2/organizations/local/rules needs read_rules',
    'read_rules, one': 'GET /v2/organizations/local/rules/x needs read_rules',
    write_rules: 'POST /v2/organizations/local/rules needs write_rules',
    'write_rules, delete': 'DELETE /v2/organizations/local/rules/x needs write_rules',
    read_organizations: 'GET /v2/organizations needs read_organizations',
    'read_organizations, one': 'GET /v2/organizations/local needs read_organizations',
    'none: access token': '/v2/access-token needs no scope',
    'none: emojis': '/v2/organizations/local/emojis needs no scope',
  }),
  ...section('Access rules', local('access'), {
    'all builds and organizations: those of the token': 'a token can access its own organizations',
  }),
  ...section('Errors of the service', local('jobs'), {
    '400 retry job': 'the job true cannot be retried',
    '400 unblock job': 'a script cannot be unblocked',
    '422 unblock job: unblocker': 'unblocking with {"unblocker":"nobody"}',
  }),
  ...section('Errors of the service', local('builds-change'), {
    '422 create build: validation, with errors': 'creating {} answers 422',
    '422 create build: the reason': 'creating {"commit":"HEAD","branch":"wip"} answers 422',
    '422 cancel build':
      'cancels a scheduled build at once, and a running one when its processes exit',
  }),
  ...section('Errors of the service', local('organization'), {
    '422 create rule': 'the rule {"type":"pipeline.read.pipeline","value":{}} is refused',
  }),
  ...section('Errors in a command', errors, {
    '400 retry job': 'a command tells 400 of retry job: not failed',
    '400 unblock job': 'a command tells 400 of unblock job: type',
    '422 unblock job: unblocker': 'a command tells 422 of unblock job: unblocker',
    '422 create build: validation, with errors': 'a command tells 422 of create build: validation',
    '422 create build: the reason': 'a command tells 422 of create build: reason',
    '422 cancel build': 'a command tells 422 of cancel build',
    '422 create rule': 'a command tells 422 of create rule',
    '422 delete rule': 'a command tells 422 of delete rule',
  }),
  ...section('Limits', local('annotations'), {
    'priority: at least 1': 'refuses {"body":"x","priority":0}',
    'priority: at most 10': 'refuses {"body":"x","priority":11}',
    'priority: an integer': 'refuses {"body":"x","priority":1.5}',
    'priority: the higher first': 'sorts by priority, then by age',
    'priority: 3 by default': 'fills in defaults',
    'one annotation a build and context':
      'the same context replaces, and keeps id and creation time',
  }),
  ...section('Limits', limits, {
    'one retry of a job id; then the new id':
      'a further retry takes the id of the job that the retry before gave',
    'pages: builds': 'builds come in pages',
    'pages: annotations': 'annotations come in pages',
    'pages: rules': 'lists rules in pages',
    'pages: organizations': 'organizations come in pages',
  }),
  ...section('Limits', local('organization'), {
    'no pages: emojis': "emojis are a standard set and the organization's own",
  }),
];
