/** What the runner is told about a job, and the job's own token. */
import type { Job, Token, Tree } from '../domain/records.ts';
import { jobScopes } from '../domain/scopes.ts';
import { hashOf, newSecret } from '../secrets.ts';
import type { JobSpec } from '../runner-port.ts';
import type { EngineParts } from './engine.ts';
import { environmentOf } from './environment.ts';
import type { Prepared } from './workspace.ts';

const minute = 60_000;

/** The work of a job that an agent has just taken. Its token dies when the job ends. */
export function createJobSpec(
  parts: EngineParts,
  tree: Tree,
  job: Job,
  { cwd, preamble }: Prepared,
): JobSpec {
  const { logs, urls } = parts;
  const step = tree.plan.steps[job.step];
  if (step?.type !== 'command') throw new Error(`job ${job.id} has no command`);
  const token = mintToken(parts, tree, job);
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

function mintToken({ store, clock, newId }: EngineParts, { build }: Tree, job: Job): string {
  const secret = newSecret('cictl_job');
  const token: Token = {
    id: newId(),
    kind: 'job',
    userId: build.creatorId,
    organizationIds: [build.organizationId],
    scopes: jobScopes,
    description: `job ${job.id}`,
    createdAt: clock.now(),
    buildId: build.id,
    jobId: job.id,
  };
  store.accounts.addToken(token, hashOf(secret));
  return secret;
}
