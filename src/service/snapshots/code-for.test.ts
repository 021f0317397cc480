import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRepository } from '../../../test/support/git-repository.ts';
import type { Build, Pipeline } from '../domain/records.ts';
import type { BuildCode, Snapshots } from './snapshots.ts';
import { codeFor, type AgentPlace } from './code-for.ts';

const build = { id: 'b1', branch: 'main', workspace: 'inplace', cleanCheckout: false } as Build;
const elsewhere: AgentPlace = { isOnThisMachine: false, ip: '10.0.0.7' };

/** The result of codeFor for this code, and its requests. */
async function scene(
  code: BuildCode,
  agent = elsewhere,
  changes: Partial<Build> = {},
  folder = '/work',
) {
  const asked: unknown[] = [];
  const snapshots = {
    codeOf: (...given: unknown[]) => {
      asked.push(given.slice(1));
      return Promise.resolve(code);
    },
  } as unknown as Snapshots;
  const pipelines = { byId: () => ({ folder }) as Pipeline } as never;
  const tree = { build: { ...build, ...changes } };
  const { env } = await codeFor(
    { store: { pipelines }, snapshots },
    tree,
    agent,
    'https://ci.example.com:8443',
  );
  return { env, asked };
}

const key = 'credential.https://ci.example.com:8443.helper';
const snapshot: BuildCode = { kind: 'snapshot', commit: 'c1', branch: 'main', tree: 't' };
const repository: BuildCode = {
  ...{ kind: 'repository', address: 'https://example.com/r.git', isPath: false },
  ...{ commit: 'c1', refspec: null },
};

test('a snapshot has the URL by which the agent knows the service', async () => {
  const { env, asked } = await scene(snapshot);
  expect(env).toEqual({
    BUILDKITE_REPO: 'https://ci.example.com:8443/v3/snapshots/b1.git',
    BUILDKITE_COMMIT: 'c1',
    GIT_CONFIG_PARAMETERS: expect.stringContaining(`'${key}=' '${key}=!`) as string,
  });
  expect(asked).toEqual([['/work', false]]);
});

test("git sends the job's token only to that URL, and no URL contains it", async () => {
  const { env } = await scene(snapshot);
  const fill = (host: string): string =>
    execFileSync('git', ['credential', 'fill'], {
      input: `protocol=https\nhost=${host}\n\n`,
      env: { ...process.env, ...env, ...nobody, BUILDKITE_AGENT_ACCESS_TOKEN: 'the-token' },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(fill('ci.example.com:8443')).toContain('username=x\npassword=the-token\n');
  expect(() => fill('example.com')).toThrow('could not read Username');
});

/** Without the user's git settings and without prompts. */
const nobody = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

test('does not fetch a branch that points to another commit', async () => {
  const side = { branch: 'a b' };
  expect((await scene({ ...snapshot, branch: 'snapshot' }, elsewhere, side)).env).toMatchObject({
    BUILDKITE_REFSPEC: 'refs/heads/snapshot',
  });
  expect((await scene({ ...repository, refspec: 'refs/heads/main' })).env).toEqual({
    BUILDKITE_REPO: 'https://example.com/r.git',
    BUILDKITE_COMMIT: 'c1',
    BUILDKITE_REFSPEC: 'refs/heads/main',
  });
});

test('an agent on this machine works in the directory without cleaning it', async () => {
  const here = { isOnThisMachine: true, ip: '127.0.0.1' };
  const { env, asked } = await scene(snapshot, here);
  expect([env, asked]).toEqual([
    {
      BUILDKITE_BUILD_CHECKOUT_PATH: '/work',
      BUILDKITE_SKIP_CHECKOUT: 'true',
      BUILDKITE_BOOTSTRAP_PHASES: 'plugin,command',
    },
    [],
  ]);
  for (const changes of [{ cleanCheckout: true }, { workspace: 'copy' }, { workspace: 'worktree' }])
    expect((await scene(snapshot, here, changes as Partial<Build>)).env).not.toHaveProperty(
      'BUILDKITE_BUILD_CHECKOUT_PATH',
    );
});

test('an agent of this machine clones the directory of a build that is not in place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-code-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const commit = createRepository(folder).commit({ file: '' });
  const here = { isOnThisMachine: true, ip: '127.0.0.1' };
  const changes = { workspace: 'worktree', commit } as const;
  const { env, asked } = await scene(snapshot, here, changes, folder);
  const expected = { BUILDKITE_REPO: folder, BUILDKITE_COMMIT: commit, BUILDKITE_REFSPEC: commit };
  expect([env, asked]).toEqual([expected, []]);
});

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.168.1.127', false],
  [null, false],
])('from %s, an agent reaches files on this machine: %s', async (ip, isReached) => {
  const { asked } = await scene(repository, { isOnThisMachine: false, ip });
  expect(asked).toEqual([['/work', isReached]]);
});
