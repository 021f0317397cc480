import { expect, test } from 'vitest';
import { toExit } from '../../errors.ts';
import { parsePluginPolicy } from './request.ts';

test.each([
  [[], { default: 'run', named: {} }],
  [['skip'], { default: 'skip', named: {} }],
  [['skip=ecr,aws-ssm'], { default: 'run', named: { ecr: 'skip', 'aws-ssm': 'skip' } }],
  [
    ['error', 'run=docker', 'skip=ecr'],
    { default: 'error', named: { docker: 'run', ecr: 'skip' } },
  ],
  [['run', 'run'], { default: 'run', named: {} }],
])('%j', (texts, policy) => {
  expect(parsePluginPolicy(texts)).toEqual(policy);
});

test.each([
  [['sikp'], 'did you mean'],
  [['none'], '--plugins must be run, skip, error'],
  [['drop=ecr'], '--plugins must be run, skip, error'],
  [['skip='], 'has no plugin name'],
  [['skip=a,,b'], 'has no plugin name'],
  [['skip=docker#v5'], 'without an organization or version'],
  [['skip=org/docker'], 'without an organization or version'],
  [['run', 'skip'], 'both run and skip'],
  [['run=a', 'skip=a'], 'both run and skip'],
])('rejects %j', (texts, why) => {
  const policy = () => parsePluginPolicy(texts);
  expect(policy).toThrow(why);
  try {
    policy();
  } catch (error) {
    expect(toExit(error)).toBe(2);
  }
});
