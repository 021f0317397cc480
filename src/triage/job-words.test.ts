import { expect, test } from 'vitest';
import { agentWaits } from './job-words.ts';

const job = (name: string, ...tags: string[]) => ({
  ...{ id: name, type: 'script', name, state: 'scheduled', waiting_for_agents: tags },
});

test('shows which tags an agent needs, and for which jobs', () => {
  const jobs = [
    job('Train', 'queue=gpu'),
    job('Lint'),
    job('Test', 'queue=gpu'),
    job('Mac', 'queue=default', 'os=m\x1b[2Jac'),
  ];
  expect(agentWaits({ jobs }, { width: 80 })).toBe(
    '○ no agent has queue=gpu: Train, Test\n○ no agent has queue=default, os=mac: Mac\n',
  );
});

test('shows nothing if every job has an agent or the service does not say', () => {
  expect(agentWaits({ jobs: [job('Lint'), { id: 'x', state: 'scheduled' }] }, { width: 80 })).toBe(
    '',
  );
  expect(agentWaits({}, { width: 80 })).toBe('');
});
