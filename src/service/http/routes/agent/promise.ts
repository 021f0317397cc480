/** `buildkite-agent job promise-failure`: the build fails from now on, and the job for certain. */
import { promiseFailure } from '../../../domain/promise-failure.ts';
import { ApiError } from '../../api-error.ts';
import { bodyReader, objectOf, type Body } from '../../body-reader.ts';
import { empty } from '../../response.ts';
import type { Route } from '../../route.ts';
import { jobRoute } from './job-route.ts';

export const promiseRoute: Route = jobRoute(
  'PUT',
  '/v3/jobs/:job/promise_failure',
  async (call, { engine, clock }, own) => {
    const promise = readPromise(objectOf(await call.body()));
    const { exitStatus = promise.exitStatus } = own.job().promised ?? {};
    if (exitStatus !== promise.exitStatus)
      throw new ApiError(409, `This job has promised the exit status ${exitStatus} already`);
    engine.change(own.buildId, (tree) => promiseFailure(tree, own.jobId, promise, clock.now()));
    return empty();
  },
);

function readPromise(body: Body): { exitStatus: number; reason: string | null } {
  const members = bodyReader(body);
  const exitStatus = members.integer('exit_status');
  const reason = members.text('reason') ?? null;
  if (exitStatus === undefined || exitStatus < 1 || exitStatus > 255)
    members.addError({
      field: 'exit_status',
      code: 'invalid',
      message: 'exit_status must be a number from 1 to 255',
    });
  members.done();
  return { exitStatus: exitStatus ?? 1, reason };
}
