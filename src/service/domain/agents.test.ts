import { expect, test } from 'vitest';
import { command, planOf } from '../../../test/support/plans.ts';
import { usualRunOptions } from '../run-options.ts';
import type { Step } from '../pipeline/plan.ts';
import { demandOf, meets, readDemand, rulesOf } from './agents.ts';

/** A step with these agent query rules. */
const step = (...agentQueryRules: string[]): Step | undefined =>
  planOf(command('a', { agentQueryRules })).steps[0];

test.each<[tags: string[], rules: string[], isMet: boolean]>([
  [['queue=default'], ['queue=default'], true],
  [['queue=default'], ['queue=gpu'], false],
  [['queue=default', 'os=linux'], ['queue=default', 'os=linux'], true],
  [['queue=default'], ['queue=default', 'os=linux'], false],
  [['queue=a', 'queue=b'], ['queue=b'], true],
  [['queue=a'], ['queue=a', 'queue=b'], false],
  [['queue=default', 'os=linux-6.1'], ['os=linux-*'], true],
  [['queue=default', 'os=linux'], ['os=*'], true],
  [['queue=default'], ['os=*'], false],
  [['os=abcabc'], ['os=a*c*bc'], true],
  [['os=abc'], ['os=abc*c'], false],
  [['os=ab'], ['os=ab*b'], false],
  [['os=a.c'], ['os=a?c'], false],
  [['docker'], ['docker=true'], true],
  [['docker=true'], ['docker'], true],
  [['a=b=c'], ['a=b=c'], true],
  [['queue=default'], [], true],
])('matches agent tags %j with query %j: %s', (tags, rules, isMet) => {
  expect(meets(tags, rules)).toBe(isMet);
});

test('requires the default queue if a step names no queue', () => {
  expect(rulesOf(step())).toEqual(['queue=default']);
  expect(rulesOf(step('os=linux'))).toEqual(['queue=default', 'os=linux']);
  expect(rulesOf(step('queue=*'))).toEqual(['queue=*']);
});

test('jobs with equivalent agent queries have the same demand', () => {
  const build = { organizationId: 'o', options: usualRunOptions };
  const of = (...agentQueryRules: string[]): string =>
    demandOf(build, { type: 'script' }, step(...agentQueryRules));
  expect(of('os=linux', 'queue=a')).toBe(of('queue=a', 'os=linux'));
  expect(readDemand(of('os=a\nb c', 'queue=a'))).toEqual({
    ...{ organizationId: 'o', runsOn: 'any', rules: ['os=a\nb c', 'queue=a'] },
  });
  expect(demandOf(build, { type: 'waiter' }, undefined)).toBe('');
  const options = { ...usualRunOptions, runsOn: 'agents' } as const;
  expect(readDemand(demandOf({ ...build, options }, { type: 'script' }, step())).runsOn).toBe(
    'agents',
  );
});
