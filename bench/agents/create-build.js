/** Creates a pipeline and a build of it, and reads the result. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCheckout } from './make-checkout.js';

/**
 * @param {{ url: string, token: string, adminToken: string }} access
 * @param {string} folder
 * @param {(string | object)[]} steps commands, or complete steps
 */
export async function createBuild({ url, token, adminToken }, folder, steps) {
  const file = join(folder, 'pipeline.yml');
  const written = steps.map((step) => (typeof step === 'string' ? { command: step } : step));
  await writeFile(file, JSON.stringify({ steps: written }));
  const ask = async (path, body, bearer = token) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    // A job that has not printed anything has no log yet.
    if (response.status === 404 && path.endsWith('/log.txt')) return new Response('');
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const pipeline = { folder: makeCheckout(join(folder, 'checkout')), file, slug: 'p' };
  await ask('/local/v1/organizations/local/pipelines', pipeline, adminToken);
  const builds = '/v2/organizations/local/pipelines/p/builds';
  await ask(builds, { commit: 'HEAD', branch: 'main' });
  return {
    read: async () => (await ask(`${builds}/1`)).json(),
    /** With time marks. @param {string} id of a job */
    log: async (id) => (await ask(`${builds}/1/jobs/${id}/log.txt`)).text(),
  };
}
