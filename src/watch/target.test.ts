import { expect, test } from 'vitest';
import { surroundings } from '../../test/support/references.ts';
import { refuseOwnBuild } from './target.ts';

const ref = { org: 'acme', pipeline: 'web', number: 7 };
const env = {
  BUILDKITE: 'true',
  BUILDKITE_BUILD_NUMBER: '7',
  BUILDKITE_ORGANIZATION_SLUG: 'acme',
  BUILDKITE_PIPELINE_SLUG: 'web',
};

test('a job does not wait for its own build', async () => {
  const context = await surroundings({ env });
  expect(() => {
    refuseOwnBuild(context, ref);
  }).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message:
        'cannot watch build acme/web/7 from one of its own jobs: the job would wait for itself',
    }),
  );
});

test.each([
  ['another build of its pipeline', env, { ...ref, number: 8 }],
  ['the same number of another pipeline', env, { ...ref, pipeline: 'api' }],
  ['any build outside a job', {}, ref],
])('a job can wait for %s', async (_, variables, target) => {
  const context = await surroundings({ env: variables });
  expect(() => {
    refuseOwnBuild(context, target);
  }).not.toThrow();
});
