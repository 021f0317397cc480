/**
 * `run --agents` in a directory with uncommitted changes, with an agent that cannot read the
 * directory.
 */
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createRepository } from '../support/git-repository.ts';
import type { AgentProgram } from '../support/agents.ts';
import { openBackground } from './background.ts';
import { eachProgram } from './each-agent.ts';

const command = [
  'echo "user $(id -u)"',
  "find . -name .git -prune -o ! -type d -printf '%P %M\\n' | sort",
  'cat changed new',
].join('; ');
const pipeline = `steps:\n  - { key: work, label: work, command: ${JSON.stringify(command.replaceAll('$', '$$'))} }\n`;

eachProgram(
  'a snapshot reaches an agent of another user and leaves the directory unchanged',
  (program) => openBackground(program),
  async (scene) => {
    const { home, program, cictl } = scene;
    const folder = await changedFolder(join(home.cwd, 'checkout'));
    const before = folder.git('status', '--porcelain', '--ignored');
    const stranger = strangerFor(program);
    try {
      const agent = scene.agent({ name: 'stranger', ...stranger });
      const { stdout, stderr, exitCode } = await cictl(['run', '--agents'], { cwd: folder.folder });
      expect(exitCode, stdout + stderr).toBe(0);
      const lines = stdout.split('\n').map((line) => line.replace(/^work \| /, ''));
      expect(lines).toEqual(expect.arrayContaining(expectedLines(stranger.uid)));
      expect(stdout).not.toMatch(/ignored|removed/);
      expect(folder.git('status', '--porcelain', '--ignored')).toBe(before);
      agent.signal('SIGKILL');
      await agent.ended;
    } finally {
      rmSync(stranger.root, { recursive: true, force: true });
    }
  },
);

eachProgram(
  "a remote in one user's directory reaches another user's agent",
  (program) => openBackground(program),
  async (scene) => {
    const { home, program, cictl } = scene;
    const checkout = createRepository(join(home.cwd, 'pushed'));
    checkout.commit({ '.buildkite/pipeline.yml': pipeline, changed: 'after\n', new: 'pushed\n' });
    const bare = join(home.root, 'origin.git');
    checkout.git('clone', '--quiet', '--bare', '.', bare);
    checkout.git('remote', 'add', 'origin', bare);
    checkout.git('fetch', '--quiet', 'origin');
    const stranger = strangerFor(program);
    try {
      const agent = scene.agent({ name: 'stranger', ...stranger });
      const { stdout, stderr, exitCode } = await cictl(['run', '--agents'], {
        cwd: checkout.folder,
      });
      expect(exitCode, stdout + stderr).toBe(0);
      expect(stdout).toContain('work | after\nwork | pushed\n');
      // Without permission to start it as another user, the agent can read the directory.
      expect(stdout.includes(bare)).toBe(stranger.uid === undefined);
      agent.signal('SIGKILL');
      await agent.ended;
    } finally {
      rmSync(stranger.root, { recursive: true, force: true });
    }
  },
);

const expectedLines = (uid = process.getuid?.() ?? 0): string[] => [
  ...[`user ${uid}`, '.buildkite/pipeline.yml -rw-r--r--', '.gitignore -rw-r--r--'],
  ...['changed -rw-r--r--', 'new -rwxr-xr-x', 'after', 'untracked'],
];

/** One file changed, one new and executable, one removed, one ignored. */
async function changedFolder(path: string) {
  const folder = createRepository(path);
  folder.commit({
    '.buildkite/pipeline.yml': pipeline,
    '.gitignore': 'ignored\n',
    changed: 'before\n',
    removed: 'x\n',
  });
  await writeFile(join(path, 'changed'), 'after\n');
  await writeFile(join(path, 'new'), 'untracked\n');
  await chmod(join(path, 'new'), 0o755);
  await writeFile(join(path, 'ignored'), 'x\n');
  await rm(join(path, 'removed'));
  return folder;
}

const nobody = 65_534;

/** A directory and, if the tests have permission, a user who cannot read the tests' directories. */
function strangerFor(program: AgentProgram) {
  const root = mkdtempSync(join(tmpdir(), 'cictl-stranger-'));
  const path = join(root, 'buildkite-agent');
  copyFileSync(program.path, path);
  for (const folder of ['home', 'build', 'plugins']) mkdirSync(join(root, folder));
  if (process.getuid?.() !== 0) return { root };
  for (const name of ['', 'home', 'build', 'plugins', 'buildkite-agent']) {
    chownSync(join(root, name), nobody, nobody);
  }
  return { root, uid: nobody, path };
}
