/**
 * Time to the first byte of a build page with 200 jobs for a signed-in browser, compared to the
 * same build as JSON.
 */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { callService } from './call-service.js';
import { fill } from './fill.js';
import { startFilled } from './filled-service.js';

const [jobs, rounds, warmUps] = [200, 40, 10];

/** @param {string} folder for the data of the service */
export function pageRows(folder) {
  let service;
  return {
    unit: 'ms',
    rows: [
      {
        name: `first byte of a build page with ${jobs} jobs`,
        against: 'the build as JSON',
        goal: 'at most 5',
        run: async () => {
          const dataDir = await mkdtemp(join(folder, 'pages-'));
          await fill(dataDir, 20, { jobs, blocked: 0 });
          service = await startFilled(dataDir);
          return compare(service);
        },
      },
    ],
    close: () => service?.close(),
  };
}

/** A B A B after a warm-up: the first page loads its code. */
async function compare(service) {
  const page = { path: '/local/web/builds/5', headers: { cookie: await signIn(service) } };
  const json = {
    path: '/v2/organizations/local/pipelines/web/builds/5',
    headers: { authorization: `Bearer ${service.token}` },
  };
  const times = [[], []];
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, asked] of [page, json].entries()) {
      const time = await firstByte(service.url, asked);
      if (round >= 0) times[index].push(time);
    }
  }
  const [ours, theirs] = times.map(median);
  return { ours, theirs, ratio: ours / theirs };
}

/** Returns the cookie of a new session. */
export async function signIn(service) {
  const { path } = await callService(service)('POST', '/local/v1/sign-in-codes');
  const response = await fetch(`${service.url}${path}&to=/`, { redirect: 'manual' });
  const [cookie] = response.headers.getSetCookie();
  return cookie.split(';')[0];
}

/** Milliseconds until the response headers; reading the body is not measured. */
async function firstByte(url, { path, headers }) {
  const from = performance.now();
  const response = await fetch(url + path, { headers });
  const reader = response.body.getReader();
  await reader.read();
  const time = performance.now() - from;
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  while (!(await reader.read()).done);
  return time;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
