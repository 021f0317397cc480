import { expect, test } from 'vitest';
import { readStoredPlan, stepDefaults, type Plan } from './plan.ts';

const own = { key: 'k', label: null, line: 1, definition: 0 };

test.each([
  ['command', { command: 'true', priority: 3 }, 'skipCheckout'],
  ['wait', {}, 'continueOnFailure'],
  ['block', { prompt: 'Go?' }, 'blockedState'],
  ['trigger', { pipeline: 'p' }, 'softFail'],
] as const)('fills in the default of a stored %s step without %j', (type, given, newest) => {
  const { [newest]: left, ...older }: Record<string, unknown> = {
    ...stepDefaults[type],
    ...own,
    ...given,
  };
  const [step] = readStoredPlan(JSON.stringify({ env: {}, steps: [older], notices: [] })).steps;
  expect(step).toEqual({ ...older, [newest]: left });
});

test('reads a complete plan as stored', () => {
  const step = { ...stepDefaults.command, ...own, command: 'true', env: { A: '1' } };
  const plan: Plan = { env: { B: '2' }, steps: [step], notices: ['n'] };
  expect(readStoredPlan(JSON.stringify(plan))).toEqual(plan);
});
