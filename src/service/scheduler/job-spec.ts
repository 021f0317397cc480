/** What the runner gets to know of a job, and the job's own token. */
import { issueToken, type Maker } from '../accounts.ts';
import type { Job, Tree } from '../domain/records.ts';
import { jobScopes } from '../domain/scopes.ts';
import type { JobSpec } from '../runner-port.ts';
import type { EngineParts } from './engine-state.ts';
import { environmentOf } from './environment.ts';
import type { Prepared } from './workspace.ts';

const minute = 60_000;

/** The spec of a job that an agent has just taken. Its token dies when the job ends. */
export function createJobSpec(
  parts: EngineParts,
  tree: Tree,
  job: Job,
  { cwd, preamble }: Prepared,
): JobSpec {
  const { logs, urls } = parts;
  const step = tree.plan.steps[job.step];
  if (step?.type !== 'command') throw new Error(`job ${job.id} has no command`);
  const token = issueJobToken(parts, tree, job);
  return {
    jobId: job.id,
    command: step.command,
    cwd,
    env: environmentOf(parts, tree, job),
    hiddenEnv: { ...tree.build.hostEnv, CICTL_BASE_URL: urls.base, CICTL_TOKEN: token },
    path: parts.path,
    secrets: [token],
    timeout: step.timeoutInMinutes === null ? null : step.timeoutInMinutes * minute,
    logFile: logs.file(job.id),
    preamble,
  };
}

const issueJobToken = (maker: Maker, { build }: Tree, job: Job): string =>
  issueToken(maker, {
    kind: 'job',
    userId: build.creatorId,
    organizationIds: [build.organizationId],
    scopes: jobScopes,
    description: `job ${job.id}`,
    buildId: build.id,
    jobId: job.id,
  }).secret;
