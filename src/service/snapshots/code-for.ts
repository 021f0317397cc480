/** Returns the job variables that tell an agent where to get the code of a build. */
import type { Build } from '../domain/records.ts';
import type { Store } from '../store/store.ts';
import type { BuildCode, Snapshots } from './snapshots.ts';
import { findHere, isOfCommit } from './find-code.ts';

export interface AgentPlace {
  /** Whether this service started the agent. If so, jobs can run in the pipeline's directory. */
  readonly isOnThisMachine: boolean;
  readonly ip: string | null;
  /** Whether the agent runs as another user, who may not be able to read the directory. */
  readonly isOtherUser?: boolean;
}

export interface CodeVariables {
  readonly env: Readonly<Record<string, string>>;
  /** The pipeline's directory. Only set if the job runs in place. */
  readonly inPlace?: string;
}

/** Idempotent. `origin` is the service's URL as seen by the agent. Error messages have one line. */
export async function codeFor(
  { store, snapshots }: { readonly store: Pick<Store, 'pipelines'>; readonly snapshots: Snapshots },
  { build }: { readonly build: Build },
  agent: AgentPlace,
  origin: string,
): Promise<CodeVariables> {
  const pipeline = store.pipelines.byId(build.pipelineId);
  if (pipeline === undefined) throw new Error('its pipeline was removed');
  const { folder } = pipeline;
  const isInPlace = build.workspace === 'inplace' && !build.cleanCheckout;
  if (agent.isOnThisMachine && isInPlace) return { env: inPlace(folder), inPlace: folder };
  const isHere = agent.isOnThisMachine && isOfCommit(build);
  const here = isHere ? await findHere(folder, build.commit) : undefined;
  const code = here ?? (await snapshots.codeOf(build, folder, reachesFiles(agent)));
  return { env: variablesOf(code, build, origin) };
}

/** Disables the checkout phase, because it would run `git clean` in the user's directory. */
const inPlace = (folder: string): Record<string, string> => ({
  BUILDKITE_BUILD_CHECKOUT_PATH: folder,
  BUILDKITE_SKIP_CHECKOUT: 'true',
  BUILDKITE_BOOTSTRAP_PHASES: 'plugin,command',
});

/** An agent that connects over loopback most likely has access to the same files. */
const reachesFiles = (agent: AgentPlace): boolean =>
  agent.isOnThisMachine || (isNear(agent) && agent.isOtherUser !== true);

export const isNear = ({ ip }: Pick<AgentPlace, 'ip'>): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(ip ?? '');

function variablesOf(
  code: BuildCode,
  { id, branch }: Build,
  origin: string,
): Record<string, string> {
  if (code.kind === 'repository')
    return {
      BUILDKITE_REPO: code.address,
      BUILDKITE_COMMIT: code.commit,
      ...(code.refspec !== null && { BUILDKITE_REFSPEC: code.refspec }),
    };
  return {
    BUILDKITE_REPO: `${origin}/v3/snapshots/${id}.git`,
    BUILDKITE_COMMIT: code.commit,
    ...(code.branch !== branch && { BUILDKITE_REFSPEC: `refs/heads/${code.branch}` }),
    ...credentialVariables(origin),
  };
}

/**
 * Makes git use the job's own token. The token is not part of the URL, because the agent prints the
 * old URL when the next job uses the same directory. The empty setting disables all other
 * credential helpers. All versions of `git -c` use GIT_CONFIG_PARAMETERS. GIT_CONFIG_COUNT needs
 * git 2.31, and users or hooks may have set it.
 */
const credentialVariables = (origin: string): Record<string, string> => ({
  GIT_CONFIG_PARAMETERS: ['', helper]
    .map((value) => `'credential.${origin}.helper=${value}'`)
    .join(' '),
});

const helper =
  '!f() { if [ "$1" = get ]; then echo username=x; echo "password=$BUILDKITE_AGENT_ACCESS_TOKEN"; fi; }; f';
