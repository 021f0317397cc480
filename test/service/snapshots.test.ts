/** Git can fetch a snapshot only with the token of a job in that build. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Build } from '../../src/service/domain/records.ts';
import { codeFor } from '../../src/service/snapshots/code-for.ts';
import {
  openSnapshots,
  type CodeOfBuild,
  type Snapshots,
} from '../../src/service/snapshots/snapshots.ts';
import { useCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

/** Two builds with a running job each, and a snapshot of a directory for each of them. */
async function scene() {
  const root = mkdtempSync(join(tmpdir(), 'cictl-snapshots-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'work');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner });
  const pipeline = await service.pipeline('demo', 'steps: [{ command: one }]');
  for (const branch of ['main', 'side'])
    await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch });
  await expect.poll(() => runner.works.length).toBe(2);
  const snapshots = await openSnapshots(service.dataDir);
  const jobs = runner.works.map(({ jobId, env, hiddenEnv }) => ({
    jobId,
    buildId: env['BUILDKITE_BUILD_ID'] ?? '',
    token: hiddenEnv['BUILDKITE_AGENT_ACCESS_TOKEN'] ?? '',
  }));
  const [first, second] = jobs as [Wanted, Wanted];
  for (const { buildId: id } of jobs) await snapshots.codeOf({ ...build, id }, folder, false);
  return { root, service, runner, snapshots, first, second };
}

interface Wanted {
  readonly jobId: string;
  readonly buildId: string;
  readonly token: string;
}

const build: Omit<CodeOfBuild, 'id'> = {
  ...{ pipelineId: 'p1', number: 1, commit: 'HEAD', branch: 'main', message: 'm', author: null },
  ...{ createdAt: 0, workspace: 'inplace', cleanCheckout: false },
};

const pathOf = ({ buildId }: Wanted): string => `/v3/snapshots/${buildId}.git`;
const basic = (token: string) => ({
  authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
});

test("git clones it with the job's token, and stores no token", async () => {
  const { root, service, first } = await scene();
  const kept = join(root, 'kept');
  writeFileSync(kept, `${service.url.replace('://', '://x:of-a-job-before@')}\n`);
  const git = await gitOf(root, service, first, first.token);
  await git('config', '--global', 'credential.helper', `store --file ${kept}`);
  const address = service.url + pathOf(first);
  await git('-c', 'advice.detachedHead=false', 'clone', '--quiet', address, 'copy');
  expect(readFileSync(join(root, 'copy/a.txt'), 'utf8')).toBe('a\n');
  const commit = await git('-C', 'copy', 'rev-parse', 'origin/main');
  await git('-C', 'copy', 'fetch', '--quiet', 'origin', commit);
  await git('init', '--quiet', 'other');
  await git('-C', 'other', 'fetch', '--quiet', address, 'main');
  expect(await git('-C', 'other', 'rev-parse', 'FETCH_HEAD')).toBe(commit);
  expect(readFileSync(kept, 'utf8')).not.toContain(first.token);
  expect(readFileSync(join(root, 'copy/.git/config'), 'utf8')).not.toContain(first.token);
});

test('git fails immediately with the token of another build', async () => {
  const { root, service, first, second } = await scene();
  const git = await gitOf(root, service, first, second.token);
  const refusal = git('clone', '--quiet', service.url + pathOf(first), 'copy');
  await expect(refusal).rejects.toThrow('Authentication failed');
});

/** Git with the variables of a job on an agent. */
async function gitOf(cwd: string, { url }: Counterpart, { buildId }: Wanted, token: string) {
  const store = { pipelines: { byId: () => ({ folder: '/' }) } } as never;
  const code = { kind: 'snapshot', commit: 'c', branch: 'main', tree: 't' } as const;
  const snapshots = { codeOf: () => Promise.resolve(code) } as unknown as Snapshots;
  const tree = { build: { id: buildId, branch: 'main' } as Build };
  const given = await codeFor({ store, snapshots }, tree, elsewhere, url);
  const own = { GIT_TERMINAL_PROMPT: '0', HOME: cwd, BUILDKITE_AGENT_ACCESS_TOKEN: token };
  const env = { ...process.env, ...given.env, ...own };
  return async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd, env })).stdout.trim();
}

const elsewhere = { isOnThisMachine: false, ip: null };

test('only the job can read it, and nothing else', async () => {
  const { service, runner, first, second } = await scene();
  const status = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await service.send(path, { token: null, headers })).status;
  const refs = `${pathOf(first)}/info/refs`;
  expect(await status(refs, basic(first.token))).toBe(200);
  const refused = await service.send(refs, { token: null });
  expect(refused.status).toBe(401);
  expect(refused.headers['www-authenticate']).toBe('Basic realm="snapshots"');
  for (const headers of [
    basic(second.token),
    basic(service.agentToken),
    basic(service.token),
    basic(''),
    { authorization: `Token ${first.token}` },
  ])
    expect(await status(refs, headers)).toBe(401);
  for (const name of [
    ...['config', 'description', 'objects/info/alternates', 'objects/pack', 'refs/heads/main'],
    ...['objects/pack/..%2F..%2Fconfig', '..%2Fcode.json', 'objects/%2E%2E/config', 'code.json'],
  ])
    expect([name, await status(`${pathOf(first)}/${name}`, basic(first.token))]).toEqual([
      name,
      404,
    ]);
  expect(await status(`${pathOf(first)}/config`, {})).toBe(401);
  runner.finish(first.jobId);
  await expect.poll(() => status(refs, basic(first.token))).toBe(401);
  expect(await status(`${pathOf(second)}/info/refs`, basic(second.token))).toBe(200);
});

test('serves a range', async () => {
  const { service, first } = await scene();
  const headers = { ...basic(first.token), range: 'bytes=4-6' };
  const part = await service.send(`${pathOf(first)}/HEAD`, { token: null, headers });
  expect([part.status, part.text, part.headers['content-range']]).toEqual([
    206,
    ' re',
    'bytes 4-6/21',
  ]);
});

test('it is removed with its build', async () => {
  const { service, runner, snapshots, first } = await scene();
  runner.finish(first.jobId);
  await service.until('/v2/organizations/local/pipelines/demo/builds/1', ({ state }) =>
    ['passed', 'failed'].includes(state),
  );
  expect(await snapshots.snapshotOf(first.buildId)).toBeDefined();
  await service.admin('POST', '/prune', { keep: '1' });
  await expect.poll(() => snapshots.snapshotOf(first.buildId)).toBeUndefined();
});
