/**
 * The page of a build with 2,000 jobs in many browsers while the build changes: memory and CPU time
 * of the service with 500 event streams compared to one.
 */
import { mkdtemp, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from './fill.js';
import { startFilled } from './filled-service.js';
import { signIn } from './pages.js';

const [jobs, changes] = [2000, 10];
const events = '/local/web/builds/1/events?last-event-id=0';
const annotations = '/v2/organizations/local/pipelines/web/builds/1/annotations';

/** @param {string} folder for the data of the service */
export function streamRows(folder) {
  let measured;
  const both = () => (measured ??= measureBoth(folder));
  const rows = [
    { name: 'memory with 500 event streams', fact: 'memory', note: ' MB', goal: 'at most 1.5' },
    {
      name: 'CPU of 10 changes with 500 event streams',
      fact: 'cpu',
      note: ' ms',
      goal: 'at most 10',
    },
  ];
  return {
    unit: '',
    rows: rows.map(({ fact, note, ...row }) => ({
      ...{ ...row, against: '1 stream' },
      run: async () => {
        const { one, many } = await both();
        const open = `, ${many.open} of them accepted`;
        return {
          ours: many[fact],
          theirs: one[fact],
          ratio: many[fact] / one[fact],
          note: note + open,
        };
      },
    })),
    close: () => undefined,
  };
}

async function measureBoth(folder) {
  const dataDir = await mkdtemp(join(folder, 'streams-'));
  await fill(dataDir, 2, { jobs, blocked: 0 });
  return { one: await measure(dataDir, 1), many: await measure(dataDir, 500) };
}

/**
 * Peak memory and CPU time while the build changes. Every tenth browser does not read its stream.
 */
async function measure(dataDir, count) {
  const service = await startFilled(dataDir, ['env', 'NODE_OPTIONS=--max-old-space-size=2048']);
  const streams = [];
  try {
    const headers = { cookie: await signIn(service) };
    const authorization = `Bearer ${service.token}`;
    for (let n = 0; n < count; n++) streams.push(open(service.url, headers, n % 10 === 9));
    await sleep(3000);
    const from = await service.cpu();
    let memory = 0;
    for (let n = 0; n < changes; n++) {
      const body = JSON.stringify({ body: `change ${n}`, context: 'bench' });
      await fetch(service.url + annotations, {
        ...{ method: 'POST', body },
        headers: { authorization, 'content-type': 'application/json' },
      });
      await sleep(1000);
      memory = Math.max(memory, await memoryOf(service.pid));
    }
    const accepted = streams.filter(({ status }) => status === 200).length;
    return { cpu: (await service.cpu()) - from, memory, open: accepted };
  } finally {
    for (const { request } of streams) request.destroy();
    await service.close();
  }
}

function open(url, headers, isSlow) {
  const stream = { status: 0 };
  stream.request = get(url + events, { headers, agent: false }, (response) => {
    stream.status = response.statusCode;
    response.on('error', () => undefined);
    if (!isSlow) response.resume();
  });
  stream.request.on('error', () => undefined);
  return stream;
}

async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
