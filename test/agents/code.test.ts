/** How an agent gets the code of a build. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createRepository } from '../support/git-repository.ts';
import { openBackground } from './background.ts';
import { eachAgent, eachProgram } from './each-agent.ts';

const show = "'echo from $(git remote get-url origin); cat file; git status --porcelain'";

eachAgent('fetches a commit from the remote that has it', async (scene) => {
  const checkout = await scene.pipeline(`  - { key: work, command: ${show} }`, { file: 'one\n' });
  const bare = join(scene.home.root, 'origin.git');
  checkout.git('clone', '--quiet', '--bare', '.', bare);
  checkout.git('remote', 'add', 'origin', bare);
  checkout.git('fetch', '--quiet', 'origin');
  scene.agent();
  const number = await scene.create();
  const { state } = await scene.settled(number);
  const log = await scene.log(number, 'work');
  expect(state, log).toBe('passed');
  expect(log).toContain(`from ${bare}\none\n`);
});

eachAgent('fetches an unpushed commit from the service, each build its own', async (scene) => {
  const checkout = await scene.pipeline(`  - { key: work, command: ${show} }`, { file: 'one\n' });
  const origin = createRepository(join(scene.home.root, 'origin'));
  checkout.git('remote', 'add', 'origin', origin.folder);
  scene.agent();
  for (const text of ['one\n', 'two\n']) {
    checkout.git('commit', '--quiet', '--allow-empty', '--message', 'next');
    checkout.commit({ file: text, number: text });
    const number = await scene.create();
    const { state } = await scene.settled(number);
    const log = await scene.log(number, 'work');
    expect(state, log).toBe('passed');
    expect(log).toContain(text);
    expect(log).not.toContain(origin.folder);
    expect(log).not.toMatch(/:\/\/[^/\s]*:(?!\[REDACTED\])[^/\s@]+@/);
  }
});

eachProgram(
  'submodules are files in a snapshot, and a step can skip it',
  (program) => openBackground(program),
  async (scene) => {
    const { home, cictl } = scene;
    const lib = createRepository(join(home.root, 'lib'));
    lib.commit({ 'lib.txt': 'of the library\n' });
    const checkout = await scene.pipeline(`
  - { key: work, command: 'cat lib/lib.txt lib/changed; git status --porcelain; ls -A lib | cat' }
  - { key: bare, command: 'echo ran', checkout: { skip: true } }`);
    checkout.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', lib.folder, 'lib');
    writeFileSync(join(checkout.folder, 'lib', 'changed'), 'and changed\n');
    scene.agent();
    const run = ['run', '--agents', '-e', 'BUILDKITE_BRANCH=a b..c', checkout.folder];
    const { stdout, stderr, exitCode } = await cictl(run);
    expect(exitCode, stdout + stderr).toBe(0);
    const log = await scene.log(1, 'work');
    expect(log).toContain('of the library\nand changed\nchanged\nlib.txt\n');
    const bare = await scene.log(1, 'bare');
    expect(bare).toContain('\nran\n');
    expect(bare).not.toMatch(/git (?:clone|fetch|clean)/);
  },
);
