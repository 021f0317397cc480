import { expect, test } from 'vitest';
import { serve } from '../../test/support/server.ts';
import { all, testClient, type TestClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { stringifyJson } from './json.ts';

const build = { org: 'acme', pipeline: 'web', number: 7 };

/** Typical bodies of such services, which must be printed without additions or losses. */
const shapes: Record<string, string> = {
  'a build with hardly a member': '{"number":7}',
  'a build without members': '{}',
  'a null creator':
    '{"id":"b-1","creator":null,"author":{"username":null,"name":"A","email":"a@ci.test"}}',
  'everything null':
    '{"id":null,"number":null,"state":null,"jobs":null,"env":null,"pipeline":null}',
  'a job before an agent has it':
    '{"jobs":[{"id":"j-1","type":"script","state":"scheduled","agent":null,"exit_status":null,"step":{"id":"s","signature":null}}]}',
  'the short agent of a list':
    '{"jobs":[{"id":"j-1","agent":{"id":"a-1","url":"http://ci.test/a","name":"two"}}]}',
  'states nobody knows': '{"state":"creating","jobs":[{"state":"quantum","type":"oracle"}]}',
  canceling: '{"state":"canceling","blocked":false,"cancel_reason":"too slow"}',
  'a blocked build': '{"state":"passed","blocked":true,"blocked_state":"passed"}',
  'both forms of a time':
    '{"created_at":"2015-05-09T21:05:59.874Z","pipeline":{"created_at":"2013-09-03 13:24:38 UTC"},"finished_at":null}',
  'a manual job':
    '{"jobs":[{"type":"manual","label":"Go?","name":null,"web_url":null,"unblocked_by":null,"unblockable":true,"unblock_url":"http://ci.test/unblock"}]}',
  'a rebuild and a pull request':
    '{"rebuilt_from":{"id":"b-0","number":6,"url":"http://ci.test/6"},"pull_request":{"id":"1","base":"main","repository":null}}',
  'members of its own': '{"number":7,"x_new":{"deep":[1,null,{"z":""}]},"priority":0.5}',
  'numbers above 2^53': '{"number":7,"x_id":9007199254740993,"times":[1563337899810051000]}',
  'names with a meaning': '{"number":7,"__proto__":{"a":1},"constructor":"x","toString":null}',
};

const rule =
  '{"uuid":"r-1","type":"pipeline.trigger_build.pipeline","description":"web may start api","value":{"source_pipeline":"web","target_pipeline":"api","conditions":[]},"effect":"allow","created_by":null}';
const log =
  '{"url":"u","content":"a\\u001b_bk;t=1\\u0007b","size":12,"header_times":[1563337899810051001]}';
const token =
  '{"uuid":"t-1","scopes":["read_builds"],"description":null,"created_at":"2013-09-03 13:24:38 UTC","expires_at":null,"user":{"name":"A"}}';

async function roundTrip(body: string, call: (client: TestClient) => Promise<unknown>) {
  const server = await serve([{ path: /./, answer: { body } }]);
  const client = testClient(server.url, virtualClock());
  const text = stringifyJson(await call(client));
  await client.close();
  return text;
}

test.each(Object.entries(shapes))('%s', async (_, body) => {
  expect(await roundTrip(body, (client) => client.builds.get(build))).toBe(body);
});

test('reads a rule in the newer form', async () => {
  expect(await roundTrip(rule, (client) => client.rules.get('acme', 'r-1'))).toBe(rule);
});

test('reads header times to the nanosecond', async () => {
  const job = { ...build, job: 'j-1' };
  expect(await roundTrip(log, (client) => client.jobs.log(job))).toBe(log);
});

test('reads an access token with newer members', async () => {
  expect(await roundTrip(token, (client) => client.accessToken.get())).toBe(token);
});

test('reads a list with both time formats and a byte order mark', async () => {
  const body = `[${shapes['both forms of a time'] ?? ''},${shapes['members of its own'] ?? ''}]`;
  const list = async (client: TestClient) => all(client.builds.list({}));
  expect(await roundTrip(`\ufeff${body}`, list)).toBe(body);
});

test('reads metrics without a poll duration, with a queue without agents', async () => {
  const body =
    '{"agents":{"idle":0,"busy":0,"total":0,"queues":{}},"jobs":{"scheduled":1,"running":0,"waiting":0,"total":1,"queues":{"gpu":{"scheduled":1,"running":0,"waiting":0,"total":1}}}}';
  const server = await serve([{ path: '/v3/metrics', answer: { body } }]);
  const client = testClient(server.url, virtualClock());
  const { metrics, pollDuration } = await client.metrics.get();
  expect(stringifyJson(metrics)).toBe(body);
  expect(pollDuration).toBe(10_000);
  await client.close();
});
