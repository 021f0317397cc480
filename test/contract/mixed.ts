/** A service with more than a hundred builds that differ in every optional member. */
import type { Runner } from '../../src/service/runner-port.ts';
import { createCounterpart, type Counterpart, type Wire } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';

export const org = '/v2/organizations/local';
/** The number of builds that are created; rebuilds are additional. */
export const count = 108;

const files = {
  plain: `
steps:
  - { label: l, key: k, command: 'true', agents: { queue: q } }
  - { command: 'exit 1', soft_fail: true }`,
  failed: "steps: [{ command: 'exit 1' }, wait, { command: 'x' }]",
  blocked: "steps: [{ command: 'true' }, { block: 'Go?', key: go }, { command: 'x' }]",
  unblocked: 'steps: [block]',
  filtered: "steps: [{ command: 'true' }]",
};
const names = Object.keys(files) as (keyof typeof files)[];

export async function createMixed(): Promise<Counterpart> {
  const service = await createCounterpart({ runner });
  for (const name of names) await service.pipeline(name, files[name]);
  await service.admin('PATCH', '/organizations/local/pipelines/filtered', {
    branch_configuration: '*',
    skip_queued_branch_builds: 'true',
    skip_queued_branch_builds_filter: '!*',
    cancel_running_branch_builds: 'true',
    cancel_running_branch_builds_filter: '!*',
  });
  for (let index = 0; index < count; index++) await vary(service, index);
  await supersede(service);
  return service;
}

const [ending, holding] = [scriptedRunner({ auto: true }), scriptedRunner()];
const runner: Runner = {
  start: (spec) => (spec.command === 'hold' ? holding : ending).start(spec),
};

/** A superseded build, while the other one is still running. */
async function supersede(service: Counterpart): Promise<void> {
  const path = await service.pipeline('hold', "steps: [{ command: 'hold' }]");
  const settings = { cancel_running_branch_builds: 'true' };
  await service.admin('PATCH', '/organizations/local/pipelines/hold', settings);
  for (const number of [1, 2]) {
    await service.post(`${path}/builds`, body(number));
    await service.until(`${path}/builds/${number}`, ({ state }) => state === 'running');
  }
  await service.settled(`${path}/builds/1`);
}

async function vary(service: Counterpart, index: number): Promise<void> {
  const name = names[index % names.length] ?? 'plain';
  const builds = `${org}/pipelines/${name}/builds`;
  const { json, status, text } = await service.post(builds, body(index));
  if (status !== 201) throw new Error(`${name}: ${text}`);
  const path = `${builds}/${json.number}`;
  if (index % 11 === 0) await service.put(`${path}/cancel`);
  const build = await service.settled(path);
  if (index % 13 === 0) await service.put(`${path}/rebuild`);
  await change(service, path, build);
}

/** Each member of a request is omitted in some builds. */
const body = (index: number): object => ({
  commit: 'HEAD',
  branch: 'main',
  ...(index % 3 === 0 && { message: `m${index}`, env: { A: 'b' } }),
  ...(index % 5 === 0 && { meta_data: { k: 'v' }, author: { name: 'n', email: 'e' } }),
  ...(index % 7 === 0 && { pull_request_id: index + 1 }),
});

/** Retries or unblocks half of the jobs for which that is possible. */
async function change(service: Counterpart, path: string, { number, jobs }: Wire): Promise<void> {
  if (number % 2 === 0) return;
  for (const { id, state } of jobs) {
    if (state === 'failed') await service.put(`${path}/jobs/${id}/retry`);
    if (state === 'blocked') await service.put(`${path}/jobs/${id}/unblock`);
  }
  await service.settled(path);
}
