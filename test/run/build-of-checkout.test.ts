/** The checkout determines the message and author of a local build. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { makeCheckout } from './checkout.ts';
import { logLines } from './output.ts';
import { pipelineIn } from './pipelines.ts';

const print = (names: string): string =>
  `steps: [{ label: p, command: 'for n in ${names}; do echo "$$n=$\${!n}"; done' }]`;

const named = print(
  'BUILDKITE_MESSAGE BUILDKITE_BUILD_AUTHOR BUILDKITE_BUILD_AUTHOR_EMAIL BUILDKITE_REPO BUILDKITE_BRANCH BUILDKITE_TAG',
);

async function runIn(...steps: readonly (readonly string[])[]) {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', named);
  const git = await makeCheckout(folder, home, 'Subject\n\nBody\nof two lines\n');
  for (const step of steps) await git(...step);
  const { stdout, stderr, exitCode } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stderr).toBe(0);
  return logLines(stdout).map((line) => line.replace('p | ', ''));
}

test('takes message and author from the commit, and the repository from the remote', async () => {
  const lines = await runIn(['remote', 'add', 'origin', 'git@example.com:org/repo.git']);
  expect(lines).toEqual([
    ...['BUILDKITE_MESSAGE=Subject', '', 'Body', 'of two lines'],
    'BUILDKITE_BUILD_AUTHOR=Ada Example',
    'BUILDKITE_BUILD_AUTHOR_EMAIL=ada@example.com',
    'BUILDKITE_REPO=git@example.com:org/repo.git',
    ...['BUILDKITE_BRANCH=topic', 'BUILDKITE_TAG='],
  ]);
});

test("removes a password from the remote's URL", async () => {
  const lines = await runIn(['remote', 'add', 'origin', 'https://me:hunter2@example.com/r.git']);
  expect(lines).toContain('BUILDKITE_REPO=https://example.com/r.git');
});

test('a checkout of a tag is a build of that tag', async () => {
  const lines = await runIn(['tag', 'v1.2'], ['checkout', '--quiet', '--detach', 'v1.2']);
  expect(lines.slice(-2)).toEqual(['BUILDKITE_BRANCH=v1.2', 'BUILDKITE_TAG=v1.2']);
});

test('a branch whose commit has a tag is a build of the branch', async () => {
  const lines = await runIn(['tag', 'v1.2']);
  expect(lines.slice(-2)).toEqual(['BUILDKITE_BRANCH=topic', 'BUILDKITE_TAG=']);
});

test('without a checkout, the message names the file', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', print('BUILDKITE_MESSAGE'));
  const { stdout } = await cictl(['run', 'demo'], { home });
  expect(stdout).toContain('p | BUILDKITE_MESSAGE=cictl run demo/pipeline.yml\n');
});

test('takes branch, message and pull request from variables given to run', async () => {
  const home = await useHome();
  const show = 'BUILDKITE_BRANCH BUILDKITE_MESSAGE BUILDKITE_PULL_REQUEST';
  const file = `
steps:
  - { label: p, command: 'for n in ${show}; do echo "$$n=$\${!n}"; done' }
  - { label: base, command: echo ran, if: 'build.pull_request.base_branch == "next" && build.branch == "topic"' }
  - { label: none, command: echo ran, if: build.pull_request.id == null }
`;
  await pipelineIn(home, 'demo', file);
  const given = ['BUILDKITE_BRANCH=topic', 'BUILDKITE_MESSAGE=Try it', 'BUILDKITE_PULL_REQUEST=42'];
  const all = [...given, 'BUILDKITE_PULL_REQUEST_BASE_BRANCH=next'].flatMap((one) => ['-e', one]);
  const { stdout, exitCode } = await cictl(['run', 'demo', ...all], { home });
  expect(exitCode).toBe(0);
  for (const line of given) expect(stdout).toContain(`p | ${line}\n`);
  expect(stdout).toContain('base | ran');
  expect(stdout).not.toContain('none | ran');
  const plan = await cictl(['run', 'demo', '--plan', ...all], { home });
  expect(plan.stdout).toContain('\tif: build.pull_request.id == null');
  expect(plan.stdout).not.toContain('\tif: build.pull_request.base_branch');
});

test('--workspace worktree notes uncommitted changes, and fails outside a checkout', async () => {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', 'steps: [{ command: echo ran }]');
  const words = ['run', 'demo', '--workspace', 'worktree'];
  const outside = await cictl(words, { home });
  expect(outside).toMatchObject({ exitCode: 2, stdout: '' });
  expect(outside.stderr).toContain(`worktree needs a commit, but ${folder} has none`);
  await makeCheckout(folder, home);
  await writeFile(join(folder, 'new'), '');
  const { stderr, exitCode } = await cictl([...words, '--plan'], { home });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /the jobs run commit [0-9a-f]{10} without 1 uncommitted change; to include them, use --workspace copy/,
  );
});
