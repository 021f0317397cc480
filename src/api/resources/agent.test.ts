import { expect, test } from 'vitest';
import { agentState, jobReference } from './agent.ts';

const job = { id: 'j-1', build_url: 'http://h/v2/organizations/o/pipelines/web/builds/7' };

test.each([
  [{ connection_state: 'connected', job: null, paused: false }, 'idle'],
  [{ connection_state: 'connected', job, paused: false }, 'busy'],
  [{ connection_state: 'connected', job, paused: true }, 'paused'],
  [{ connection_state: 'stopping', job, paused: true }, 'stopping'],
  [{ connection_state: 'lost', job: null }, 'lost'],
  [{}, undefined],
])('%j is %s', (agent, state) => {
  expect(agentState(agent)).toBe(state);
});

test.each([
  [{ job: { ...job, step_key: 'unit' } }, 'web/7#unit'],
  [{ job: { ...job, step_key: '' } }, 'web/7#j-1'],
  [{ job: { ...job, build_url: 'http://elsewhere/' } }, undefined],
  [{ job: null }, undefined],
  [{}, undefined],
])('the job of %j is %s', (agent, reference) => {
  expect(jobReference(agent)).toBe(reference);
});
