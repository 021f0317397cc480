import { expect, test } from 'vitest';
import { build } from './build.ts';
import {
  describeAnnotation,
  describeBuild,
  describeJob,
  describeRule,
  describeUser,
} from './describe.ts';

test.each([
  [
    describeBuild,
    {
      number: 7,
      branch: 'main',
      commit: '0141deadbe0141deadbe',
      message: 'Fix it\n\nall',
      pipeline: { slug: 'web' },
    },
    'build web/7 on main at 0141deadbe: Fix it',
  ],
  [
    describeBuild,
    { number: 7, branch: 'feature/JIRA-1234-money-in-minor-units' },
    'build 7 on …/JIRA-1234-money-in-minor-units',
  ],
  [describeBuild, { number: null, message: ' ' }, 'build'],
  [describeJob, { label: 'Release?', step_key: 'gate' }, 'job Release? (gate)'],
  [describeAnnotation, { context: 'coverage', style: null }, 'annotation coverage'],
  [
    describeRule,
    { uuid: 'u', type: 't', source_uuid: 's', target_uuid: 'd' },
    'rule u: t from s to d',
  ],
  [describeUser, { id: 'i', name: 'Ada', email: 'a@x.example' }, 'user Ada <a@x.example>: i'],
] as const)('%o of %j', (describe, element, words) => {
  expect(describe(element)).toBe(words);
});

test('a build is described by its resource', () => {
  expect(build.describe?.({ number: 3 })).toBe('build 3');
});
