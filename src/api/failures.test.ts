import { expect, test } from 'vitest';
import { toExit, toJson, toText } from '../errors.ts';
import { serve, type CannedResponse } from '../../test/support/server.ts';
import { testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Client } from './client.ts';

const build = { org: 'acme', pipeline: 'web', number: 7 };
const job = { ...build, job: 'j-1' };

/** The error message when a call gets this response. */
async function failureOf(call: (client: Client) => Promise<unknown>, response: CannedResponse) {
  const server = await serve([
    { method: call === get ? 'GET' : 'PUT', path: /./, answer: response },
  ]);
  const client = testClient(server.url, virtualClock());
  const error = await call(client).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  await client.close();
  return { code: toExit(error), text: toText(error).replaceAll(server.url, 'URL') };
}
const get = (client: Client) => client.builds.get(build);
const cancel = (client: Client) => client.builds.cancel(build);
const retry = (client: Client) => client.jobs.retry(job);

const json = (status: number, value: unknown, headers = {}): CannedResponse => ({
  ...{ status, json: value, headers },
});
const says = (status: number, message: string): CannedResponse => json(status, { message });

test.each<[string, (client: Client) => Promise<unknown>, CannedResponse, number, string]>([
  [
    '401',
    get,
    says(401, 'Authentication required. Please supply a valid API Access Token: …'),
    6,
    'cictl: cannot view build acme/web/7: the service rejected the token: Authentication required. Please supply a valid API Access Token: …\n  try: cictl auth login',
  ],
  [
    '403 with scope',
    get,
    says(403, "Your access token doesn't have the read_builds scope"),
    6,
    "cictl: cannot view build acme/web/7: Your access token doesn't have the read_builds scope\n  try: cictl auth status",
  ],
  [
    '403 of a write',
    cancel,
    says(403, 'Forbidden'),
    6,
    'cictl: cannot cancel build acme/web/7: Forbidden (requires the scope write_builds)\n  try: cictl auth status',
  ],
  [
    '403 though the scope is there',
    get,
    json(403, { message: 'Forbidden' }, { 'X-OAuth-Scopes': 'read_builds, graphql' }),
    6,
    'cictl: cannot view build acme/web/7: Forbidden\n  try: cictl auth status',
  ],
  [
    '403 naming what it accepts',
    get,
    json(
      403,
      { message: 'Forbidden' },
      { 'X-OAuth-Scopes': 'graphql', 'X-Accepted-OAuth-Scopes': 'read_all' },
    ),
    6,
    'cictl: cannot view build acme/web/7: Forbidden (requires the scope read_all)\n  try: cictl auth status',
  ],
  [
    '404 organization',
    get,
    says(404, 'No organization found'),
    7,
    'cictl: cannot view build acme/web/7: organization acme was not found\n  try: cictl orgs list',
  ],
  [
    '404 pipeline',
    cancel,
    says(404, 'No pipeline found'),
    7,
    'cictl: cannot cancel build acme/web/7: pipeline acme/web was not found\n  try: cictl builds list --org acme --all-pipelines',
  ],
  [
    '404 build',
    get,
    says(404, 'No build found'),
    7,
    'cictl: cannot view build acme/web/7: build acme/web/7 was not found\n  try: cictl builds list acme/web',
  ],
  [
    '404 job',
    retry,
    says(404, 'No job found'),
    7,
    'cictl: cannot retry job acme/web/7#j-1: job j-1 was not found\n  try: cictl job list acme/web/7',
  ],
  [
    '404 log',
    retry,
    says(404, 'No log found'),
    7,
    'cictl: cannot retry job acme/web/7#j-1: log of job j-1 was not found\n  try: cictl job list acme/web/7',
  ],
  [
    '404 plain',
    get,
    says(404, 'Not Found'),
    7,
    'cictl: cannot view build acme/web/7: build acme/web/7 was not found\n  try: cictl builds list acme/web',
  ],
  [
    '404 of another server',
    get,
    { status: 404, body: '<html>nginx</html>' },
    7,
    'cictl: cannot view build acme/web/7: build acme/web/7 was not found; URL may not be a CI service',
  ],
  [
    '400',
    retry,
    says(400, 'Only failed, timed out or canceled jobs can be retried'),
    8,
    'cictl: cannot retry job acme/web/7#j-1: Only failed, timed out or canceled jobs can be retried',
  ],
  ['409', cancel, says(409, 'busy'), 8, 'cictl: cannot cancel build acme/web/7: busy'],
  ['413', cancel, says(413, 'too large'), 8, 'cictl: cannot cancel build acme/web/7: too large'],
  [
    '418',
    cancel,
    { status: 418, body: '' },
    8,
    'cictl: cannot cancel build acme/web/7: the service returned 418',
  ],
  [
    '422',
    cancel,
    json(422, {
      message: 'Validation Failed',
      errors: [
        { field: 'commit', code: 'missing' },
        { field: 'env', code: 'invalid', message: 'no "x-y"' },
        'more',
        {},
      ],
    }),
    8,
    'cictl: cannot cancel build acme/web/7: Validation Failed (commit: missing; env: invalid, no "x-y"; more; {})',
  ],
  [
    'errors alone',
    cancel,
    json(422, { errors: [{ message: 'one' }, { message: 'two' }] }),
    8,
    'cictl: cannot cancel build acme/web/7: one (two)',
  ],
  [
    '500',
    get,
    { status: 500, body: '<h1>Oops</h1>' },
    9,
    'cictl: cannot view build acme/web/7: the service failed (500)',
  ],
  [
    '500 of a write',
    cancel,
    { status: 500, body: 'boom' },
    9,
    'cictl: cannot cancel build acme/web/7: the service failed (500): boom; the request may have arrived, so it is not sent again',
  ],
  [
    '503 of a write',
    cancel,
    says(503, 'later'),
    9,
    'cictl: cannot cancel build acme/web/7: the service failed (503): later; the request may have arrived, so it is not sent again',
  ],
  [
    '302 of a write',
    cancel,
    { status: 302, headers: { location: '/x' } },
    9,
    'cictl: cannot cancel build acme/web/7: the service returned 302, which is not followed for PUT requests; the request may have arrived, so it is not sent again',
  ],
  [
    '304',
    get,
    { status: 304 },
    9,
    'cictl: cannot view build acme/web/7: the service returned 304, which is not followed for GET requests',
  ],
  [
    'HTML',
    get,
    { body: '\n<!DOCTYPE html><p>sign in' },
    9,
    'cictl: cannot view build acme/web/7: the response is HTML, not JSON\n  try: cictl auth status',
  ],
  [
    'nothing',
    get,
    { body: '' },
    9,
    'cictl: cannot view build acme/web/7: the response is empty, not JSON\n  try: cictl auth status',
  ],
  [
    '204 instead of a build',
    cancel,
    { status: 204 },
    9,
    'cictl: cannot cancel build acme/web/7: the response is empty, not JSON; the request may have arrived, so it is not sent again\n  try: cictl auth status',
  ],
  [
    'truncated JSON',
    get,
    { body: '{"id":"abc","number":' },
    9,
    'cictl: cannot view build acme/web/7: the response is malformed JSON: "{\\"id\\":\\"abc\\",\\"number\\":"\n  try: cictl auth status',
  ],
  [
    'garbage',
    get,
    { body: `\u001b]0;x\u0007${'x'.repeat(100_000)}` },
    9,
    `cictl: cannot view build acme/web/7: the response is malformed JSON: "${'x'.repeat(40)}…"\n  try: cictl auth status`,
  ],
  [
    'another type',
    get,
    { json: [] },
    9,
    'cictl: cannot view build acme/web/7: the response is an array instead of an object\n  try: cictl auth status',
  ],
  [
    'null',
    get,
    { body: 'null' },
    9,
    'cictl: cannot view build acme/web/7: the response is null instead of an object\n  try: cictl auth status',
  ],
])('%s', async (_, call, response, code, text) => {
  expect(await failureOf(call, response)).toEqual({ code, text });
});

test.each<[string, string]>([
  ['No build found', 'build acme/web/7 was not found'],
  ['Not Found', 'build acme/web/7 was not found'],
  ['It was moved away', 'build acme/web/7 was not found (It was moved away)'],
])('404 with %j keeps the message in the details of the JSON error', async (message, words) => {
  const response = json(404, { message, errors: ['more'] });
  const server = await serve([{ path: /./, answer: response }]);
  const client = testClient(server.url, virtualClock());
  const error: unknown = await get(client).catch((caught: unknown) => caught);
  await client.close();
  const printed = JSON.parse(toJson(error)) as { error: { message: string; details: string[] } };
  expect(printed.error.details).toEqual([message, 'more']);
  expect(printed.error.message).toBe(`cannot view build acme/web/7: ${words}`);
  // A terminal shows it once.
  expect(toText(error).split(message).length).toBe(words.includes(message) ? 2 : 1);
});

test('limits the length of service messages', async () => {
  const errors = Array.from({ length: 500 }, () => ({ field: 'f', message: 'y'.repeat(10_000) }));
  const { text } = await failureOf(get, json(422, { message: 'x\n'.repeat(100_000), errors }));
  expect(text.length).toBeLessThan(15_000);
  expect(text.split('\n')).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['an object', { id: 'x' }, 'the response is an object instead of an array'],
  ['numbers', [{}, 3], 'the response contains a number instead of objects'],
])('rejects %s instead of a list', async (_, value, message) => {
  const server = await serve([{ path: /./, answer: { json: value } }]);
  const client = testClient(server.url, virtualClock());
  const error: unknown = await client.emojis.list('acme').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ kind: 'invalid_response' });
  expect(String(error)).toContain(message);
  await client.close();
});

test('rejects a sign-in page as a log', async () => {
  const response = { body: '<html>', headers: { 'content-type': 'text/html; charset=utf-8' } };
  const server = await serve([{ path: /log\.txt$/, answer: response }]);
  const client = testClient(server.url, virtualClock());
  await expect(client.jobs.logText(job)).rejects.toThrow('the response is HTML, not text');
  await client.close();
});

test.each<[string, string, object]>([
  ['missing', '', { kind: 'auth', hint: 'cictl auth login, or cictl local up' }],
  ['of two lines', 'abc\ndef', { kind: 'usage' }],
  ['with a line end', 'abc\r\n', { kind: 'usage' }],
  ['not ASCII', 'abcé', { kind: 'usage' }],
  ['with a control character', 'abc\u0000', { kind: 'usage' }],
])('does not send a token that is %s', async (_, token, expected) => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock(), { token });
  const error: unknown = await client.accessToken.get().catch((caught: unknown) => caught);
  expect(error).toMatchObject(expected);
  expect(String(error)).not.toContain('abc');
  await client.close();
});

test('rejects a slug that would change the path, and sends nothing', async () => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock());
  const error: unknown = await client.organizations.get('../x').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ kind: 'usage' });
  await client.close();
});
