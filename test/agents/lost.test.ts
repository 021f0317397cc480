/** Agents that are killed while running a job, and one that only seemed to be lost. */
import { expect } from 'vitest';
import { eachAgent } from './each-agent.ts';

const soon = { heartbeat: 1 };

eachAgent(
  'a job of a killed agent fails as lost, and another agent retries it',
  async (scene) => {
    const command = 'echo ready; [ $$BUILDKITE_RETRY_COUNT = 1 ] || sleep 300';
    await scene.pipeline(
      `  - { key: work, command: '${command}', retry: { automatic: { signal_reason: agent_lost } } }`,
    );
    const first = scene.agent({ name: 'first' });
    const number = await scene.create();
    await scene.printed(number, 'work', 'ready\n');
    first.signal('SIGKILL');
    scene.agent({ name: 'second' });
    const { state, jobs } = await scene.settled(number);
    expect(state).toBe('passed');
    expect(jobs).toMatchObject([
      { state: 'failed', exit_status: -1, signal_reason: 'agent_lost', agent: { name: 'first' } },
      { state: 'passed', exit_status: 0, retries_count: 1, agent: { name: 'second' } },
    ]);
  },
  soon,
);

eachAgent(
  'an agent that reconnects after being lost finishes that job and takes the next',
  async (scene) => {
    await scene.pipeline("  - { key: work, command: 'echo ready; sleep 300' }");
    const agent = scene.agent();
    const number = await scene.create();
    await scene.printed(number, 'work', 'ready\n');
    agent.signal('SIGSTOP');
    const { jobs } = await scene.settled(number);
    expect(jobs[0]).toMatchObject({ state: 'failed', signal_reason: 'agent_lost' });
    agent.signal('SIGCONT');
    await scene.pipeline('  - { key: work, command: echo next }', {}, 'next');
    expect((await scene.settled(await scene.create('next'), 'next')).state).toBe('passed');
  },
  soon,
);
