import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { findAgents } from './agents.ts';
import { useFolder } from './job.ts';

const script = (version: string): string => `#!/bin/sh\necho buildkite-agent version ${version}\n`;

function program(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'buildkite-agent');
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

test('finds one of each version in the given directory, oldest first', () => {
  const folder = useFolder();
  const beta = program(join(folder, 'v4'), script('4.0.0-beta.15+x..dirty'));
  const old = program(join(folder, 'v3'), script('3.90.0+x..dirty'));
  program(join(folder, 'other'), script('1.0.0'));
  expect(findAgents({ CICTL_TEST_AGENTS: folder, PATH: '/nonexistent' })).toEqual([
    { version: 'v3.90.0', major: 3, path: old },
    { version: 'v4.0.0-beta.15', major: 4, path: beta },
  ]);
});

test('accepts the program itself, and rejects a directory without one', () => {
  const folder = useFolder();
  expect(() => findAgents({ CICTL_TEST_AGENTS: folder })).toThrow(folder);
  const path = program(folder, script('3.1.0'));
  expect(findAgents({ CICTL_TEST_AGENTS: folder })).toEqual([
    { version: 'v3.1.0', major: 3, path },
  ]);
});

test('uses the first binary in PATH, or nothing', () => {
  const folder = useFolder();
  const folders = ['a', 'b', 'c'].map((name) => join(folder, name));
  const [shim = '', ...real] = folders;
  program(shim, script('9.9.9'));
  for (const one of real) program(one, '\x7fELF');
  expect(findAgents({ PATH: shim })).toEqual([]);
  expect(() => findAgents({ PATH: folders.join(delimiter) })).toThrow(join(folder, 'b'));
});
