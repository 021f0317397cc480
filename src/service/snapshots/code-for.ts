/** Where an agent gets the code of a build, as variables of its job. */
import type { Build } from '../domain/records.ts';
import type { Store } from '../store/store.ts';
import type { BuildCode, Snapshots } from './snapshots.ts';
import { findHere, isOfCommit } from './find-code.ts';

export interface CodeParts {
  readonly store: Pick<Store, 'pipelines'>;
  readonly snapshots: Snapshots;
}

/** What is to be known of an agent. */
export interface AgentPlace {
  /** It was started by this service, and may run in the folder itself. */
  readonly isOnThisMachine: boolean;
  /** Address that it connects from. */
  readonly ip: string | null;
  /** Git refuses the repositories of other users, and their folders may be closed. */
  readonly isOtherUser?: boolean;
}

export interface CodeVariables {
  readonly env: Readonly<Record<string, string>>;
  /** The directory that the job runs in place. */
  readonly inPlace?: string;
}

/**
 * `origin` is the service's address as the agent uses it. A step that skips its checkout needs no
 * code. Repeated, it gives the same. Throws one line where the code cannot be had.
 */
export async function codeFor(
  { store, snapshots }: CodeParts,
  { build }: { readonly build: Build },
  agent: AgentPlace,
  origin: string,
): Promise<CodeVariables> {
  const pipeline = store.pipelines.byId(build.pipelineId);
  if (pipeline === undefined) throw new Error('its pipeline is gone');
  const { folder } = pipeline;
  if (agent.isOnThisMachine && isInPlace(build)) return { env: inPlace(folder), inPlace: folder };
  const isHere = agent.isOnThisMachine && isOfCommit(build);
  const here = isHere ? await findHere(folder, build.commit) : undefined;
  const code = here ?? (await snapshots.codeOf(build, folder, reachesFiles(agent)));
  return { env: variablesOf(code, build, origin) };
}

const isInPlace = ({
  workspace,
  cleanCheckout,
}: Pick<Build, 'workspace' | 'cleanCheckout'>): boolean =>
  workspace === 'inplace' && !cleanCheckout;

/**
 * Agents of version 3 know the phases alone, those of version 4 both. Either of them keeps `git clean`
 * away from a folder that is the user's.
 */
const inPlace = (folder: string): Record<string, string> => ({
  BUILDKITE_BUILD_CHECKOUT_PATH: folder,
  BUILDKITE_SKIP_CHECKOUT: 'true',
  BUILDKITE_BOOTSTRAP_PHASES: 'plugin,command',
});

/** Who comes over loopback most likely sees the same files. */
const reachesFiles = (agent: AgentPlace): boolean =>
  agent.isOnThisMachine || (isNear(agent) && agent.isOtherUser !== true);

/** It connects over loopback. */
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
 * Settings of git that answer for this service with the job's own token. In the address it would be
 * shown: the next job in the same folder prints the address of the one before. Behind the empty
 * setting no other helper is asked, or given it to keep. In this variable `git -c` hands its settings
 * on, in all versions; GIT_CONFIG_COUNT is that of users and hooks, and unknown before git 2.31.
 */
const credentialVariables = (origin: string): Record<string, string> => ({
  GIT_CONFIG_PARAMETERS: ['', helper]
    .map((value) => `'credential.${origin}.helper=${value}'`)
    .join(' '),
});

const helper =
  '!f() { if [ "$1" = get ]; then echo username=x; echo "password=$BUILDKITE_AGENT_ACCESS_TOKEN"; fi; }; f';
