/** The built-in service stays responsive while it reads a slow pipeline file. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useService, type TestService } from '../support/service.ts';

const file = `x: [${'a,'.repeat(50_000)}]\nsteps: [{ command: 'true', skip: true }]\n`;

const call = (service: TestService, path: string, body?: object): Promise<Response> =>
  fetch(service.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${path.startsWith('/local/') ? service.adminToken : service.token}`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

test('serves other requests in turn while reading a file', async () => {
  const service = await useService();
  const { cwd: folder } = service.home;
  await writeFile(join(folder, 'pipeline.yml'), file);
  await call(service, '/local/v1/organizations/local/pipelines', { folder, slug: 'slow' });
  const build = { commit: 'HEAD', branch: 'main' };
  const made = call(service, '/v2/organizations/local/pipelines/slow/builds', build);
  const state = { isMade: false };
  const status = made.then((response) => {
    state.isMade = true;
    return response.status;
  });
  let answers = 0;
  while (!state.isMade) {
    expect((await call(service, '/v2/user')).status).toBe(200);
    answers++;
  }
  expect(await status).toBe(201);
  // The requests that overlap the start and the end of reading do not count.
  expect(answers).toBeGreaterThan(5);
});
