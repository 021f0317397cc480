import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../../../test/support/job.ts';
import { spawnAgent } from './agent-processes.ts';

test('starts several agents at once from a program that is not called buildkite-agent', async () => {
  const folder = useFolder();
  const binary = join(folder, 'agent-4.0');
  writeFileSync(binary, '#!/bin/sh\n[ "$1" = start ] && exec buildkite-agent found', {
    mode: 0o755,
  });
  const names = ['agent-1', 'agent-2', 'agent-3'];
  const wanted = { binary, args: [], env: { PATH: process.env['PATH'] ?? '' } };
  const start = async (name: string): Promise<string> =>
    (await spawnAgent(wanted, { folder, name, endpoint: '', token: '', tokenId: '' })).ended;
  expect(await Promise.all(names.map(start))).toEqual([
    'exit code 1',
    'exit code 1',
    'exit code 1',
  ]);
  expect(names.map((name) => readFileSync(join(folder, `${name}.log`), 'utf8'))).toEqual([
    '',
    '',
    '',
  ]);
});
