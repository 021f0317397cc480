/**
 * Agents on other machines: a separate address with TLS, and a registration token created for them.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBackground } from './background.ts';
import { eachProgram } from './each-agent.ts';

const tls = (name: string): string => join(import.meta.dirname, '../fixtures/tls', name);
const cert = tls('cert.pem');
const flags = ['--listen', '127.0.0.1:0', '--tls-cert', cert, '--tls-key', tls('key.pem')];

const command =
  'mkdir copy; echo made > a.txt; buildkite-agent artifact upload a.txt; buildkite-agent artifact download a.txt copy/; cat copy/a.txt file';

eachProgram(
  'an agent over TLS gets code and artifacts there, and a revoked token is rejected',
  (program) => openBackground(program, ['--slots', '0', ...flags]),
  async (scene) => {
    const { cictl } = scene;
    const token = (
      await cictl(['local', 'agent-token', 'create', '--description', 'far'])
    ).stdout.trim();
    const listen = (await cictl(['local', 'status', '--jq', '.listen'])).stdout.trim();
    expect(listen).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const env = { SSL_CERT_FILE: cert, GIT_SSL_CAINFO: cert };
    const options = { endpoint: `${listen}/v3`, token, env };
    scene.agent(options);
    await scene.pipeline(`  - { key: work, command: '${command}' }`, {
      file: 'from the checkout\n',
    });
    const number = await scene.create();
    const { state } = await scene.settled(number);
    const log = await scene.log(number, 'work');
    expect(state, log).toBe('passed');
    expect(log).toContain('made\nfrom the checkout\n');

    const { stdout } = await cictl(['local', 'agent-token', 'list', '--json']);
    expect(stdout).not.toContain(token);
    const tokens = JSON.parse(stdout) as { uuid: string; description: string }[];
    const { uuid = '' } = tokens.find(({ description }) => description === 'far') ?? {};
    expect((await cictl(['local', 'agent-token', 'revoke', uuid])).exitCode).toBe(0);
    const late = scene.agent({ ...options, name: 'late' });
    expect(await late.ended).not.toBe(0);
  },
);
