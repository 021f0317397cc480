/** Jobs that run until the test finishes them, and the requests of their `buildkite-agent`. */
import { expect } from 'vitest';
import type { ServiceOptions } from '../../../src/service/start-service.ts';
import { useCounterpart, type Counterpart, type Reply } from '../counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from '../scripted-runner.ts';

export interface RunningJobs {
  readonly service: Counterpart;
  readonly runner: ScriptedRunner;
  /** The REST path of the build. */
  readonly build: string;
  /** The job with that command. */
  readonly job: (command: string) => RunningJob;
}

export interface RunningJob {
  readonly id: string;
  readonly buildId: string;
  readonly stepId: string;
  readonly token: string;
  /**
   * Sends a request with the job's token; `J`, `B` and `S` as parts of the path stand for its IDs.
   */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
}

/** A build of this file whose first `count` jobs are running. */
export async function useRunningJobs(
  file: string,
  count = 1,
  {
    runner = scriptedRunner(),
    ...options
  }: Partial<ServiceOptions> & { runner?: ScriptedRunner } = {},
): Promise<RunningJobs> {
  const service = await useCounterpart({ runner, slots: Math.max(count, 1), ...options });
  const pipeline = await service.pipeline('demo', file);
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  await expect.poll(() => runner.works.length).toBe(count);
  const job = (command: string): RunningJob => jobOf(service, runner, command);
  return { service, runner, build: `${pipeline}/builds/1`, job };
}

function jobOf(service: Counterpart, runner: ScriptedRunner, command: string): RunningJob {
  const spec = runner.works.findLast((work) => work.command === command);
  if (spec === undefined) throw new Error(`no job ${command} was started`);
  const { jobId: id, env, hiddenEnv } = spec;
  const token = hiddenEnv['BUILDKITE_AGENT_ACCESS_TOKEN'] ?? '';
  const buildId = env['BUILDKITE_BUILD_ID'] ?? '';
  const stepId = env['BUILDKITE_STEP_ID'] ?? '';
  return { id, buildId, stepId, token, call: callerOf(service, { id, buildId, stepId, token }) };
}

/** Sends requests with the token of a job. */
export function callerOf(
  service: Counterpart,
  { id, buildId, stepId, token }: Omit<RunningJob, 'call'>,
): RunningJob['call'] {
  const own: Readonly<Record<string, string>> = { J: id, B: buildId, S: stepId };
  return (method, path, body, headers = {}) =>
    service.send(
      path.replace(/(?<=\/)[JBS](?=[/?]|$)/g, (letter) => own[letter] ?? letter),
      { method, body, token: null, headers: { authorization: `Token ${token}`, ...headers } },
    );
}
