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

/** `token` is the secret of the job's own token. */
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
  // Pipeline variables take precedence over host variables.
  const hostVariables = Object.fromEntries(
    Object.entries({ ...build.hostEnv, CICTL_DATA_DIR: dirname(parts.workspaces) }).filter(
      ([name]) => !Object.hasOwn(env, name),
    ),
  );
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
      ...hostVariables,
      ...secrets,
      // `cictl` and `buildkite-agent` use these variables to find the service.
      ...{ CICTL_BASE_URL: urls.base, CICTL_TOKEN: token },
      // A job may have a terminal, but nobody can respond to a prompt.
      CICTL_NO_INPUT: '1',
      ...{ BUILDKITE_AGENT_ENDPOINT: `${urls.base}/v3`, BUILDKITE_AGENT_ACCESS_TOKEN: token },
    },
    path: parts.path,
    secrets: [token, ...Object.values(secrets)],
    timeout: step.timeoutInMinutes === null ? null : step.timeoutInMinutes * 60_000,
    scratch: join(parts.workspaces, `${job.id}.runner`),
    logFile: logs.file(job.id),
    maxLog: logs.maxSize,
    preamble: at.preamble,
    tty: build.options.tty,
  };
}

/** Resolves the step's `secrets`. Throws if one is missing. */
function secretsOf(
  { secrets }: CommandStep,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    secrets.map(({ key, variable }) => {
      const value = secretNamed(known, key);
      if (value === undefined)
        throw new Error(
          `the secret ${key} was not provided: use --secret ${key}, --secret-file FILE, or cictl local secret set ${key}`,
        );
      return [variable, value] as const;
    }),
  );
}

/** Issues a token that is valid until the job ends. The secret is random unless one is given. */
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
