/** A service without slots on two cores, whose builds run on agents, and requests to it. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFilled } from '../filled-service.js';
import { requester } from '../requester.js';
import { onCores } from './cores.js';
import { makeCheckout } from './make-checkout.js';

/** @param {string} root for its data, and for a checkout that agents elsewhere can clone */
export async function startBenchService(root) {
  const folder = await mkdtemp(join(root, 'agents-'));
  const service = await startFilled(join(folder, 'data'), onCores('0,1'), 0);
  const send = requester(service);
  const checkout = makeCheckout(join(folder, 'checkout'));
  let made = 0;
  return {
    ...service,
    endpoint: `${service.url}/v3`,
    send,
    /** Returns the response to a GET. @param {string} path */
    read: async (path) => {
      const headers = { authorization: `Bearer ${service.token}` };
      return (await fetch(service.url + path, { headers })).json();
    },
    /** Creates a pipeline with this many jobs; returns a function that creates a build of it. */
    pipeline: async (jobs, command, agents = {}) => {
      const slug = `p${++made}`;
      // Outside of the checkout: remote agents would need a snapshot otherwise.
      const file = join(folder, `${slug}.yml`);
      await writeFile(file, JSON.stringify({ steps: Array(jobs).fill({ command, agents }) }));
      const body = JSON.stringify({ folder: checkout, file, slug });
      const path = '/local/v1/organizations/local/pipelines';
      await send({ method: 'POST', path, body });
      return {
        ...{ method: 'POST', path: `/v2/organizations/local/pipelines/${slug}/builds` },
        body: JSON.stringify({ commit: 'HEAD', branch: 'main', message: 'bench' }),
      };
    },
    /** Current memory use in megabytes. */
    memory: async () => {
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
  };
}
