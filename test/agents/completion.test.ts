/** Completion of agents, registration tokens and secrets of the running service. */
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { register } from './faults-agent.ts';

async function useRunning() {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const run = (args: readonly string[], stdin = '') => cictl(args, { home, stdin });
  const offered = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await run(['__complete', ...words]);
    return stdout.split('\n').filter(Boolean);
  };
  const { stdout } = await run(['local', 'up', '--slots', '1']);
  const { stdout: agentToken } = await run(['local', 'agent-token', 'create']);
  return { run, offered, service: { url: stdout.trim(), agentToken: agentToken.trim() } };
}

test('completes agents by name, or by id if shared, without slots', async () => {
  const { offered, service } = await useRunning();
  await register(service, { name: 'my agent', hostname: 'box' });
  const twins = [await register(service, { name: 'x' }), await register(service, { name: 'x' })];
  const all = await offered('local', 'agent', 'stop', '');
  expect(all[0]).toBe('my agent\tidle  box');
  expect(all.slice(1).map((line) => line.split('\t')[0])).toEqual(twins.map(({ id }) => id));
  expect(await offered('local', 'agents', 'pause', 'my')).toEqual(['my agent\tidle  box']);
});

test('completes registration tokens with descriptions, and secrets by name', async () => {
  const { run, offered } = await useRunning();
  await run(['local', 'agent-token', 'create', '--description', 'the rack']);
  const { stdout } = await run(['local', 'agent-token', 'list', '--jq', '.[0].uuid']);
  expect(await offered('local', 'agent-token', 'revoke', stdout.slice(0, 8))).toEqual([
    `${stdout.trim()}\tthe rack`,
  ]);
  await run(['local', 'secret', 'set', 'NPM_TOKEN'], 'correct-horse');
  const secrets = await offered('local', 'secret', 'remove', 'N');
  expect(secrets.map((line) => line.split('\t')[0])).toEqual(['NPM_TOKEN']);
  expect(secrets.join()).not.toContain('horse');
});
