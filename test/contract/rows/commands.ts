/**
 * "Endpoints" from the client's side: the command that sends each request, parameter and member.
 */
import type { Row } from '../../rows/problems.ts';
import { section } from './section.ts';

const commands = 'test/contract/commands.test.ts';
const cli = (name: string): string => `test/cli/${name}.test.ts`;

/** Assigns several rows to one test. */
const each = (name: string, file: string, test: string, rows: readonly string[]): Row[] =>
  section(name, file, Object.fromEntries(rows.map((row) => [row, test])));

export const sent: readonly Row[] = [
  ...section('Commands for builds', cli('builds-list'), {
    'list of all organizations': 'lists all organizations on request, or if none is known',
    'list of an organization': '["--org","other"] asks for /v2/organizations/other/builds',
    'list of a pipeline': '["web"] asks for /v2/organizations/acme/pipelines/web/builds',
  }),
  ...each(
    'Commands for builds, query of lists',
    cli('builds-list'),
    'sends every filter, repeated ones as a list, times in UTC',
    [
      ...['branch', 'commit', 'created_from', 'created_to', 'creator', 'finished_from'],
      ...['include_retried_jobs', 'meta_data', 'state'],
    ],
  ),
  ...section('Commands for builds', commands, { view: 'a command sends GET a build' }),
  ...section('Commands for builds', cli('builds-change'), {
    'view with include_retried_jobs':
      'view includes retried jobs on request, and names what is missing',
    cancel: 'cancel looks up latest, then cancels each build',
    rebuild: 'rebuild prints the id if there is no URL',
  }),
  ...each(
    'Commands for builds, body of create',
    cli('builds-change'),
    'create sends every member of the body, and prints the URL in a pipe',
    [
      ...['commit', 'branch', 'author', 'clean_checkout', 'env', 'ignore_pipeline_branch_filters'],
      ...['message', 'meta_data', 'pull_request_base_branch', 'pull_request_id'],
      'pull_request_repository',
    ],
  ),
  ...section('Commands for jobs', commands, {
    retry: 'a command sends PUT retry',
    unblock: 'a command sends PUT unblock',
    'unblock with unblocker and fields': 'a command sends PUT unblock with unblocker and fields',
    'delete-log': 'a command sends DELETE log',
    env: 'a command sends GET env',
    'env as text': 'a command sends GET env.txt',
  }),
  ...section('Commands for jobs', cli('job-log'), {
    log: '--format json gives the object as it came',
    'log as text': 'raw is identical to what the service sent',
    'log as HTML': "--server requests the service's rendering",
  }),
  ...section('Commands for annotations', commands, { list: 'a command sends GET annotations' }),
  ...each('Commands for annotations, body', cli('annotate'), 'sends every member', [
    ...['body', 'style', 'priority', 'context', 'append'],
  ]),
  ...section('Commands for rules', commands, {
    list: 'a command sends GET rules',
    view: 'a command sends GET a rule',
    'create: type and value': 'a command sends POST rules',
    delete: 'a command sends DELETE a rule',
  }),
  ...section('Commands for the rest', commands, {
    organizations: 'a command sends GET organizations',
    'an organization': 'a command sends GET an organization',
    emojis: 'a command sends GET emojis',
    'access token, read': 'a command sends GET access-token',
    'access token, revoked': 'a command sends DELETE access-token',
    'metrics, by the agent token': 'a command sends GET metrics',
    'GraphQL: query, variables, operationName, content type': 'a command sends POST v1',
  }),
];
