/** "Errors": the message and exit code of a command for each error of the service. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const jobs = [{ id, type: 'manual', state: 'blocked', unblockable: true }];
const look = { path: build, answer: { json: { number: 7, jobs } } };
const value = '{"source_pipeline_uuid":"a","target_pipeline_uuid":"b"}';
const create = ['builds', 'create', '-p', 'web', '-c', 'x', '-b', 'y'];
const rule = ['rules', 'create', '--type', 'pipeline.trigger_build.pipeline', '--value', value];

interface Row {
  readonly what: string;
  readonly args: readonly string[];
  readonly call: string;
  readonly before?: readonly Exchange[];
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly object[];
}

const rows: readonly Row[] = [
  {
    what: 'retry job: not failed',
    args: ['job', 'retry', `web/7#${id}`],
    before: [look],
    call: `PUT ${build}/jobs/${id}/retry`,
    status: 400,
    message: 'Only failed, timed out or canceled jobs can be retried',
  },
  {
    what: 'unblock job: type',
    args: ['job', 'unblock', `web/7#${id}`],
    before: [look],
    call: `PUT ${build}/jobs/${id}/unblock`,
    status: 400,
    message: 'This job type cannot be unblocked',
  },
  {
    what: 'unblock job: unblocker',
    args: ['job', 'unblock', `web/7#${id}`, '--unblocker', 'u'],
    before: [look],
    call: `PUT ${build}/jobs/${id}/unblock`,
    status: 422,
    message: 'Unblocker is not a valid user id for this organization',
  },
  {
    what: 'create build: validation',
    args: create,
    call: 'POST /v2/organizations/acme/pipelines/web/builds',
    status: 422,
    message: 'Validation Failed',
    errors: [{ field: 'commit', code: 'unheard_of' }],
  },
  {
    what: 'create build: reason',
    args: create,
    call: 'POST /v2/organizations/acme/pipelines/web/builds',
    status: 422,
    message: 'Branches have been disabled for this pipeline',
  },
  {
    what: 'cancel build',
    args: ['builds', 'cancel', 'web/7', '--yes'],
    call: `PUT ${build}/cancel`,
    status: 422,
    message: 'this build is over',
  },
  {
    what: 'create rule',
    args: rule,
    call: 'POST /v2/organizations/acme/rules',
    status: 422,
    message: 'no such pipeline',
  },
  {
    what: 'delete rule',
    args: ['rules', 'delete', id, '--yes'],
    call: `DELETE /v2/organizations/acme/rules/${id}`,
    status: 422,
    message: 'this rule is needed',
  },
];

const named = rows.map((row) => [row.status, row.what, row] as const);

test.each(named)('a command tells %i of %s', async (status, _, row) => {
  const { args, before = [], call, ...body } = row;
  const [method = '', path = ''] = call.split(' ');
  const json = { message: body.message, errors: body.errors };
  const { url } = await serve([...before, { method, path, answer: { status, json } }]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const { exitCode, stdout, stderr } = await cictl(args, { env });
  expect([exitCode, stdout]).toEqual([8, '']);
  expect(stderr).toContain(body.message);
  for (const error of body.errors ?? [])
    for (const word of Object.values(error)) expect(stderr).toContain(word);
});
