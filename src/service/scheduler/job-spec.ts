/** What the runner gets to know of a job. */
import { dirname, join } from 'node:path';
import { issueToken, type Maker } from '../accounts.ts';
import { jobScopes } from '../domain/permissions.ts';
import type { Build, Job, Tree } from '../domain/records.ts';
import type { CommandStep } from '../pipeline/plan.ts';
import type { JobSpec } from '../runner-port.ts';
import type { EngineParts } from './engine-state.ts';
import { environmentOf } from './environment.ts';
import { knownSecrets, secretNamed } from './known-secrets.ts';
import type { Prepared } from './workspace.ts';

const minute = 60_000;

/** The spec of a job that an agent has just taken; `token` is the secret of its own. */
export function createJobSpec(
  parts: EngineParts,
  tree: Pick<Tree, 'build' | 'plan'>,
  job: Job,
  at: Prepared,
  token: string,
): JobSpec {
  const { logs, urls } = parts;
  const { build, plan } = tree;
  const step = plan.steps[job.step];
  if (step?.type !== 'command') throw new Error(`job ${job.id} has no command`);
  const secrets = secretsOf(step, knownSecrets(parts.store, build));
  const env = environmentOf(parts, tree, job);
  return {
    jobId: job.id,
    command: step.command,
    cwd: at.cwd,
    checkout: { make: at.make, empty: at.empty, source: at.source },
    plugins: {
      ...{ uses: step.plugins, policy: build.options.plugins },
      from: build.options.pluginsFrom,
    },
    env,
    hiddenEnv: {
      ...without(env, { ...build.hostEnv, CICTL_DATA_DIR: dirname(parts.workspaces) }),
      ...{ ...secrets, ...accessVariables(urls.base, token) },
    },
    path: parts.path,
    secrets: [token, ...Object.values(secrets)],
    timeout: step.timeoutInMinutes === null ? null : step.timeoutInMinutes * minute,
    scratch: join(parts.workspaces, `${job.id}.runner`),
    logFile: logs.file(job.id),
    maxLog: logs.maxSize,
    preamble: at.preamble,
    tty: build.options.tty,
  };
}

type Variables = Readonly<Record<string, string>>;

/** What the pipeline says of a variable counts more than what this machine has. */
const without = (env: Variables, host: Variables): Variables =>
  Object.fromEntries(Object.entries(host).filter(([name]) => !Object.hasOwn(env, name)));

/**
 * `cictl` and `buildkite-agent` in the job use these to find this service. A job may have a
 * terminal, but nobody answers a prompt there.
 */
const accessVariables = (base: string, token: string): Record<string, string> => ({
  ...{ CICTL_BASE_URL: base, CICTL_TOKEN: token, CICTL_NO_INPUT: '1' },
  ...{ BUILDKITE_AGENT_ENDPOINT: `${base}/v3`, BUILDKITE_AGENT_ACCESS_TOKEN: token },
});

/** The variables of the step's `secrets`. Throws the name of one that was not given. */
function secretsOf({ secrets }: CommandStep, known: Variables): Record<string, string> {
  return Object.fromEntries(
    secrets.map(({ key, variable }) => {
      const value = secretNamed(known, key);
      if (value === undefined)
        throw new Error(
          `the secret ${key} was not given: --secret ${key}, --secret-file FILE, or cictl local secret set ${key}`,
        );
      return [variable, value] as const;
    }),
  );
}

/**
 * Issues the token of a job, which is removed when the job ends, and returns its secret. The secret
 * is random in a slot; an agent's is derived from the agent, so that a repeated request gets the same.
 */
export const issueJobToken = (
  maker: Maker,
  build: Build,
  jobId: string,
  ofAgent?: { readonly agentId: string; readonly secret: string },
): string =>
  issueToken(
    maker,
    {
      kind: 'job',
      userId: build.creatorId,
      organizationIds: [build.organizationId],
      scopes: jobScopes,
      description: `job ${jobId}`,
      buildId: build.id,
      jobId,
      ...(ofAgent && { agentId: ofAgent.agentId }),
    },
    ofAgent?.secret,
  ).secret;
