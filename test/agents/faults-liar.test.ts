/**
 * Agents that send false information or request what is not theirs are rejected with one line, and
 * nothing is lost.
 */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { offered, register, send, takeJob, useBuild, type Reply } from './faults-agent.ts';
import { sampled } from '../support/full.ts';

/** Rejected, with a JSON message. */
function expectRefused(what: string, { status, text }: Reply): void {
  expect([what, status >= 400 && status < 500]).toEqual([what, true]);
  expect([what, JSON.parse(text)]).toEqual([
    what,
    expect.objectContaining({ message: expect.any(String) as string }),
  ]);
}

test('accepts only a numeric exit status, and the job continues until it gets one', async () => {
  const { service, build } = await useBuild(['true']);
  const job = await takeJob(await register(service));
  for (const wrong of ['banana', '', '1.5', ' 0', '0x10', '99999999999999999999', '-'])
    expectRefused(wrong, await job.finish(wrong));
  const list = { exit_status: ['0'] };
  expectRefused('a list', await job.call('PUT', '/finish', { body: list }));
  expectRefused('nothing', await job.call('PUT', '/finish', { body: {} }));
  expect((await build.read()).jobs[0]).toMatchObject({ state: 'running', exit_status: null });
  expect((await job.finish('3')).status).toBe(200);
  expect((await build.read()).jobs[0]).toMatchObject({ state: 'failed', exit_status: 3 });
});

test('repeated accept and finish change nothing', async () => {
  const { service, build } = await useBuild(['true']);
  const agent = await register(service);
  const id = await offered(agent);
  const first = await agent.call('PUT', `/jobs/${id}/accept`);
  const second = await agent.call('PUT', `/jobs/${id}/accept`);
  expect([second.status, second.json]).toEqual([200, first.json]);
  const { token } = first.json;
  await agent.call('PUT', `/jobs/${id}/start`, { token, body: {} });
  await agent.call('PUT', `/jobs/${id}/start`, { token, body: {} });
  const finish = (exit_status: string) =>
    agent.call('PUT', `/jobs/${id}/finish`, { token, body: { exit_status } });
  expect((await finish('0')).status).toBe(200);
  expect((await finish('0')).status).toBe(200);
  expect((await finish('1')).status).toBeLessThan(500);
  expect((await build.read()).jobs[0]).toMatchObject({ state: 'passed', exit_status: 0 });
});

test('a job belongs to its agent and its own token', async () => {
  const { service, build } = await useBuild(['true', 'true']);
  const [a, b] = [await register(service), await register(service)];
  const [one, other] = [await takeJob(a), await takeJob(b)];
  expectRefused('accept of another', await b.call('PUT', `/jobs/${one.id}/accept`));
  expectRefused('acquire of another', await b.call('PUT', `/jobs/${one.id}/acquire`));
  const { token } = other;
  const paths = [
    ['GET', ''],
    ['PUT', '/start', {}],
    ['PUT', '/finish', { exit_status: '0' }],
    ['POST', '/data/set', { key: 'a', value: 'b' }],
    ['POST', '/annotations', { body: 'x' }],
    ['GET', '/secrets?key=A'],
    ['POST', '/pipelines?async=true', { uuid: crypto.randomUUID(), pipeline: { steps: [] } }],
  ] as const;
  for (const [method, path, body] of paths) {
    const whole = `/jobs/${one.id}${path}`;
    expectRefused(whole, await a.call(method, whole, { token, body }));
    expectRefused(whole, await a.call(method, whole, { token: service.agentToken, body }));
    expectRefused(whole, await a.call(method, whole, { token: 'job-of-nobody', body }));
  }
  for (const { state } of (await build.read()).jobs) expect(state).toBe('running');
});

test('a token only opens what it is for', async () => {
  const { service } = await useBuild(['true']);
  const agent = await register(service);
  const job = await takeJob(agent);
  const wrong = [
    ['GET', '/ping', service.agentToken],
    ['POST', '/heartbeat', service.agentToken],
    ['GET', '/ping', job.token],
    ['POST', '/register', agent.token],
    ['POST', '/register', job.token],
    ['PUT', `/jobs/${job.id}/accept`, job.token],
    ['GET', '/metrics', agent.token],
    ['GET', '/metrics', job.token],
    ['GET', '/ping', service.token],
  ] as const;
  for (const [method, path, token] of wrong)
    expectRefused(
      `${method} ${path}`,
      await send(service, method, path, { token, ...(method === 'GET' ? {} : { body: {} }) }),
    );
  for (const token of [agent.token, job.token])
    for (const scheme of ['Token', 'Bearer']) {
      const headers = { authorization: `${scheme} ${token}` };
      const status = async (path: string) => (await fetch(service.url + path, { headers })).status;
      expect(await status('/v2/organizations')).toBeGreaterThanOrEqual(400);
      expect(await status('/local/v1/status')).toBe(401);
    }
});

sampled.each([
  ['100,000 tags', { meta_data: Array.from({ length: 100_000 }, (_, n) => `t${n}=x`) }],
  ['a tag of 1 MB', { meta_data: [`a=${'x'.repeat(1_000_000)}`] }],
  ['a tag that is none', { meta_data: [1] }],
  ['a name of 1 MB', { name: 'x'.repeat(1_000_000) }],
  ['a name that is none', { name: { a: 1 } }],
  ['tags that are none', { meta_data: 'queue=default' }],
  ['a priority that is none', { priority: 'high' }],
])('an agent with %s is not registered', async (what, members) => {
  const { service } = await useBuild(['true']);
  const body = { name: 'liar', version: '4', meta_data: [], ...members };
  const token = service.agentToken;
  expectRefused(what, await send(service, 'POST', '/register', { token, body }));
});

sampled.each([
  ['a parent', '../../x'],
  ['a parent within', 'a/../../x'],
  ['NUL', 'a\0b'],
  ['nothing', ''],
])('an artifact whose path has %s is refused', async (what, path) => {
  const { service } = await useBuild(['true']);
  const job = await takeJob(await register(service));
  const artifact = { path, absolute_path: path, file_size: 1, sha1sum: 'a'.repeat(40) };
  const body = { id: crypto.randomUUID(), artifacts: [artifact] };
  expectRefused(what, await job.call('POST', '/artifacts', { body }));
});

test('rejects 10 MB of meta-data, and keeps the old value', async () => {
  const { service } = await useBuild(['true']);
  const job = await takeJob(await register(service));
  const set = (value: string) => job.call('POST', '/data/set', { body: { key: 'a', value } });
  expect((await set('small')).status).toBeLessThan(300);
  expectRefused('10 MB', await set('x'.repeat(10_000_000)));
  const { text } = await job.call('POST', '/data/get', { body: { key: 'a' } });
  expect(JSON.parse(text)).toMatchObject({ value: 'small' });
});

test('a client that sends everything first still learns that it was too large', async () => {
  const { service } = await useBuild(['true']);
  const { port, host } = new URL(service.url);
  const body = Buffer.alloc(20_000_000, ' ');
  const socket = connect(Number(port), '127.0.0.1').pause();
  const token = `Authorization: Token ${service.agentToken}`;
  const head = ['POST /v3/register HTTP/1.1', `Host: ${host}`, 'Connection: close', token];
  socket.write([...head, `Content-Length: ${body.byteLength}`, '', ''].join('\r\n'));
  await new Promise<void>((resolve, reject) => {
    socket.write(body, (error) => (error ? reject(error) : resolve()));
  });
  let reply = '';
  for await (const part of socket) reply += String(part);
  expect(reply).toMatch(/^HTTP\/1\.1 413 /);
});
