import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../test/support/server.ts';
import { callAdmin } from './admin.ts';
import { readState, writeState, type ServiceState } from './state.ts';

const state: ServiceState = {
  url: 'http://127.0.0.1:1',
  pid: 1,
  adminToken: 'admin',
  token: 'token',
  agentToken: 'agent',
  ownsProcess: true,
  processStart: '7',
};

async function useDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cictl-state-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test('reads the state as it was written', async () => {
  const directory = await useDirectory();
  await writeState(directory, state);
  expect(await readState(directory)).toEqual(state);
});

test.each(['url', 'pid', 'adminToken', 'token'] as const)(
  'ignores a state without %s',
  async (member) => {
    const directory = await useDirectory();
    const text = JSON.stringify({ ...state, [member]: undefined });
    await writeFile(join(directory, 'service.json'), text);
    expect(await readState(directory)).toBeUndefined();
  },
);

test.each([
  [500, 'machine'],
  [499, 'refused'],
  [404, 'not_found'],
])('a response with status %i is an error of kind %s', async (status, kind) => {
  const answer = { status, json: { message: 'no' } };
  const { url } = await serve([{ path: /status/, answer }]);
  await expect(callAdmin({ ...state, url }, 'GET', '/status')).rejects.toMatchObject({ kind });
});
