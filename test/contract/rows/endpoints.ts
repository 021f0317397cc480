/** "Endpoints" of the service: parameters, bodies and alternative formats. */
import type { Row } from '../../rows/problems.ts';
import { same, section } from './section.ts';

const endpoints = 'test/contract/endpoints.test.ts';
const parameters = 'test/contract/parameters.test.ts';
const bodies = 'test/contract/bodies.test.ts';
const local = (name: string): string => `test/service/${name}.test.ts`;

const org = '/v2/organizations/{org.slug}';
const pipeline = `${org}/pipelines/{pipeline.slug}`;
const build = `${pipeline}/builds/{number}`;
const job = `${pipeline}/builds/{build.number}/jobs/{job.id}`;
const annotations = `${pipeline}/builds/{build.number}/annotations`;

export const served: readonly Row[] = [
  ...same('Builds', endpoints, [
    'GET /v2/builds',
    `GET ${org}/builds`,
    `GET ${pipeline}/builds`,
    `GET ${build}`,
    `POST ${pipeline}/builds`,
    `PUT ${build}/cancel`,
    `PUT ${build}/rebuild`,
  ]),
  ...section('Builds, query of lists', parameters, {
    branch: 'lists of builds by branch',
    'branch[]': 'lists of builds by branch[]',
    commit: 'lists of builds by commit',
    'commit: the full SHA alone': 'lists of builds by commit, short',
    'commit[]': 'lists of builds by commit[]',
    created_from: 'lists of builds by created_from',
    created_to: 'lists of builds by created_to',
    creator: 'lists of builds by creator',
    finished_from: 'lists of builds by finished_from',
    'include_retried_jobs true': 'lists of builds with include_retried_jobs=true',
    'include_retried_jobs false': 'lists of builds with include_retried_jobs=false',
    meta_data: 'lists of builds by meta_data',
    state: 'lists of builds by state',
    'state[]': 'lists of builds by state[]',
    'state finished': 'lists of builds by state, finished',
    'newest first': 'lists of builds by no parameter: newest first',
  }),
  ...section('Builds, query of one', parameters, {
    'include_retried_jobs true': 'a build with include_retried_jobs=true',
    'include_retried_jobs false': 'a build with include_retried_jobs=false',
    'nothing else': 'a build takes no other parameter',
  }),
  ...section('Builds, body of create', bodies, {
    commit: 'create a build: commit',
    'commit is required': 'create a build: commit is required',
    branch: 'create a build: branch',
    'branch is required': 'create a build: branch is required',
    author: 'create a build: author',
    'author: by default the requesting user': 'create a build: author left out',
    env: 'create a build: env',
    'env: by default empty': 'create a build: env left out',
    ignore_pipeline_branch_filters: 'create a build: ignore_pipeline_branch_filters',
    'ignore_pipeline_branch_filters: by default false':
      'create a build: ignore_pipeline_branch_filters left out',
    message: 'create a build: message',
    meta_data: 'create a build: meta_data',
    'meta_data: by default empty': 'create a build: meta_data left out',
    pull_request_base_branch: 'create a build: pull_request_base_branch',
    pull_request_id: 'create a build: pull_request_id',
    pull_request_repository: 'create a build: pull_request_repository',
  }),
  ...section('Builds, body of create', local('workspace'), {
    clean_checkout: 'a clean checkout leaves the folder alone and nothing behind',
    'clean_checkout: by default false': 'in place, the directory is used unchanged',
  }),
  ...section('Builds, no body', bodies, {
    cancel: 'cancel: no body',
    rebuild: 'rebuild: no body',
  }),
  ...same('Jobs', endpoints, [
    `PUT ${job}/retry`,
    `PUT ${job}/unblock`,
    `GET ${job}/log`,
    `DELETE ${job}/log`,
    `GET ${job}/env`,
  ]),
  ...section('Jobs, bodies', bodies, {
    'retry: none': 'retry: no body',
    'unblock: none': 'unblock: no body',
    'unblock: unblocker': 'unblock: unblocker',
    'unblock: unblocker, by default the requesting user': 'unblock: unblocker left out',
    'unblock: fields': 'unblock: fields',
  }),
  ...section('Alternative formats', local('logs'), {
    'log, Accept text/plain': '/log accepting text/plain is text/plain; charset=utf-8',
    'log, .txt': '/log.txt accepting undefined is text/plain; charset=utf-8',
    'log, raw content': 'the range undefined',
    'log, Accept text/html':
      '/log accepting text/html, application/json;q=0.9 is text/html; charset=utf-8',
    'log, .html': '/log.html accepting undefined is text/html; charset=utf-8',
    'log, rendered as HTML': 'as HTML, it has colors and no active content',
  }),
  ...section('Alternative formats', local('jobs'), {
    'env, Accept text/plain and .txt': 'the environment as text can be read back',
  }),
  ...same('Annotations', endpoints, [`GET ${annotations}`, `POST ${annotations}`]),
  ...section('Annotations, body of create', bodies, {
    'body: Markdown': 'annotate: body in Markdown',
    'body: HTML': 'annotate: body in HTML',
    'style: success': 'annotate: style success',
    'style: info': 'annotate: style info',
    'style: warning': 'annotate: style warning',
    'style: error': 'annotate: style error',
    'priority: 1': 'annotate: priority 1',
    'priority: 10': 'annotate: priority 10',
    context: 'annotate: context',
    'append: true': 'annotate: append true',
    'append: false': 'annotate: append false',
  }),
  ...section('Annotations, body of create', local('annotations'), {
    'body is required': 'refuses {}',
    'style: nothing else': 'refuses {"body":"x","style":"loud"}',
    'append: to one that is there, before it is rendered':
      'append joins the sources before rendering',
  }),
  ...same('Rules', endpoints, [
    `GET ${org}/rules`,
    `GET ${org}/rules/{uuid}`,
    `POST ${org}/rules`,
    `DELETE ${org}/rules/{uuid}`,
  ]),
  ...section('Rules, body of create', bodies, {
    'type is required': 'create a rule: type is required',
    'value is required': 'create a rule: value is required',
  }),
  ...same('Organizations', endpoints, ['GET /v2/organizations', `GET ${org}`]),
  ...same('Emojis', endpoints, [`GET ${org}/emojis`]),
  ...same('Access token', endpoints, ['GET /v2/access-token', 'DELETE /v2/access-token']),
  ...section('Access token', local('access'), {
    'once deleted it can no longer be used': 'a token describes itself and can be revoked',
  }),
  ...same('Metrics', endpoints, ['GET {agent_url}/v3/metrics']),
  ...same('GraphQL', endpoints, ['POST {graphql_url}/v1']),
  ...section('GraphQL', local('graphql'), {
    'viewer, user, name, builds, edges, node; the newest first':
      'runs the example of the specification',
    'first limits the count': 'variables as an object',
    'fields of a build: number, branch, message': 'pages by cursor, unaffected by new builds',
  }),
  ...section('Versioning', endpoints, {
    'REST: not version 1': 'REST has its version in the path: not /v1/builds',
    'REST: not version 3': 'REST has its version in the path: not /v3/builds',
    'REST: not without': 'REST has its version in the path: not /builds',
    'metrics: version 3': 'metrics has its version in the path: not /v2/metrics',
    'GraphQL: version 1': 'GraphQL has its version in the path: not /v2',
  }),
];
