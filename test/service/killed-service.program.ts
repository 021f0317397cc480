/** Starts a service and two builds, prints what was acknowledged, and waits to be killed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService } from '../../src/service/start-service.ts';

const dataDir = process.argv[2] ?? '';
const service = await startService({ dataDir, slots: 1 });
const pipeline = '/v2/organizations/local/pipelines/p';

async function post(path: string, body: object, token = service.token): Promise<object> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(service.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return (await reply.json()) as object;
}

async function log(): Promise<string> {
  const headers = { authorization: `Bearer ${service.token}` };
  const build = await fetch(`${service.url}${pipeline}/builds/1`, { headers });
  const { jobs } = (await build.json()) as { jobs: [{ id: string }] };
  const path = `${service.url}${pipeline}/builds/1/jobs/${jobs[0].id}/log.txt`;
  return (await fetch(path, { headers })).text();
}

const file = join(dataDir, 'pipeline.yml');
await writeFile(
  file,
  // Exits by itself soon after the service has been killed.
  "steps: [{ command: 'echo before the end; sleep 5' }, wait, { command: 'echo after' }]",
);
const given = { folder: dataDir, file, slug: 'p' };
await post('/local/v1/organizations/local/pipelines', given, service.adminToken);
for (const message of ['first', 'second'])
  await post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main', message });
const note = (await post(`${pipeline}/builds/1/annotations`, { body: 'x' })) as { id: string };
while (!(await log()).includes('before the end'))
  await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write(
  `${JSON.stringify({ builds: [1, 2], annotation: note.id, token: service.token })}\n`,
);
