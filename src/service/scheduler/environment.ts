/** The environment of a job, from the records: what GET env shows and what the job gets. */
import type { Job, Organization, Pipeline, Tree, User, Agent } from '../domain/records.ts';
import {
  buildVariables,
  jobEnvironment,
  standardVariables,
  type BuildFacts,
  fullPluginSource,
} from '../pipeline/environment.ts';
import type { Store } from '../store/store.ts';
import type { Urls } from '../urls.ts';
import { checkoutPath } from './workspace.ts';
import type { PluginUse } from '../pipeline/plan.ts';
import { pluginAction } from '../plugins/plugin.ts';
import type { PluginPolicy } from '../run-options.ts';

interface EnvironmentSources {
  readonly store: Store;
  readonly urls: Urls;
  readonly workspaces: string;
  /** Of the slots: `queue=gpu`, `os=linux`; default `queue=default` alone. */
  readonly tags?: readonly string[] | undefined;
}

type FactsOfBuild = Pick<
  Tree['build'],
  | 'id'
  | 'number'
  | 'branch'
  | 'commit'
  | 'message'
  | 'env'
  | 'source'
  | 'author'
  | 'rebuiltFrom'
  | 'triggeredFrom'
  | 'pullRequest'
  | 'cleanCheckout'
>;

/** What is known of a build before it has jobs. */
export const factsOf = (
  urls: Urls,
  organization: Organization,
  pipeline: Pipeline,
  build: FactsOfBuild,
  creator: User | undefined,
): BuildFacts => ({
  organization: organization.slug,
  organizationId: organization.id,
  pipeline: { ...pipeline, provider: 'local' },
  build: {
    ...build,
    tag: build.env['BUILDKITE_TAG'],
    url: urls.webBuild(organization.slug, pipeline.slug, build.number),
    creator: creator ?? null,
  },
});

/** What a pipeline file may use while it is read. */
export const variablesOf = (
  facts: BuildFacts,
  env: Readonly<Record<string, string>>,
): Record<string, string> => ({ ...env, ...buildVariables(facts) });

/** Everything that GET env shows of a job: pipeline < build < step < standard. */
export function environmentOf(
  sources: EnvironmentSources,
  tree: Pick<Tree, 'build' | 'plan'>,
  job: Job,
): Record<string, string> {
  const { build, plan } = tree;
  const step = plan.steps[job.step];
  const command = step?.type === 'command' ? step : undefined;
  const facts = factsFromStore(sources, tree);
  const { pipeline } = facts;
  const standard = standardVariables({
    ...facts.facts,
    job: {
      id: job.id,
      stepId: job.stepId,
      stepKey: step?.key ?? null,
      label: step?.label ?? null,
      command: command?.command ?? '',
      plugins: command?.plugins ?? [],
      skipCheckout: command?.skipCheckout ?? false,
      timeoutInMinutes: command?.timeoutInMinutes ?? null,
      artifactPaths: command?.artifactPaths ?? null,
      parallelGroupIndex: command?.parallel?.index ?? null,
      parallelGroupTotal: command?.parallel?.total ?? null,
      group: step?.group ?? null,
      retriesCount: job.retriesCount,
      retryType: job.retrySource?.type ?? null,
    },
    agent: { id: job.agent?.id ?? '', name: job.agent?.name ?? '', queue: 'default' },
    checkoutPath: checkoutPath(sources.workspaces, pipeline.folder, build, job.id),
  });
  return jobEnvironment({
    pipeline: plan.env,
    build: build.env,
    step: command?.env ?? {},
    standard: { ...standard, ...tagVariables(sources.tags ?? []) },
  });
}

/** What is known of a build that is there. */
export function factsFromStore(
  { store, urls }: Pick<EnvironmentSources, 'store' | 'urls'>,
  { build }: Pick<Tree, 'build'>,
) {
  const organization = store.accounts.organizationById(build.organizationId);
  const pipeline = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || pipeline === undefined)
    throw new Error(`build ${build.id} has lost its pipeline`);
  const creator = build.creatorId === null ? undefined : store.accounts.user(build.creatorId);
  return { pipeline, facts: factsOf(urls, organization, pipeline, build, creator) };
}

// The environment of a job on a real agent, as the agent is given it.

/** What jobs get to know of their agent. */
export interface AgentFacts extends Pick<Agent, 'id' | 'name'> {
  /** As it has sent it: `4.0.0-beta.15`. */
  readonly version: string;
  /** `queue=default`, `os=linux`. */
  readonly tags: readonly string[];
}

type Variables = Readonly<Record<string, string>>;

/**
 * All that GET env shows, but for what the agent sets itself. `code` is where the job gets its files
 * from (`codeFor`); a step that skips its checkout needs none.
 */
export function remoteEnvironment(
  sources: EnvironmentSources,
  tree: Pick<Tree, 'build' | 'plan'>,
  job: Job,
  agent: AgentFacts,
  code: Variables = {},
): Record<string, string> {
  const { id, name } = agent;
  const shown = environmentOf(sources, tree, { ...job, agent: { ...agent, createdAt: 0 } });
  const step = tree.plan.steps[job.step];
  const plugins = step?.type === 'command' ? step.plugins : [];
  const skips = step?.type === 'command' && step.skipCheckout;
  return {
    ...withoutAgentsOwn(shown),
    ...{ BUILDKITE_AGENT_ID: id, BUILDKITE_AGENT_NAME: name, ...tagVariables(agent.tags) },
    ...pluginVariables(plugins, tree.build.options.plugins),
    ...(skips ? withoutCheckout(agent) : code),
  };
}

/** Agents put values of their own in the place of these, and warn of each in the log. */
const ofAgent =
  /^BUILDKITE_(BUILD_PATH|BUILD_CHECKOUT_PATH|(ADDITIONAL_)?HOOKS_PATH|PLUGINS_PATH|SOCKETS_PATH|BIN_PATH|CONFIG_PATH|SHELL|COMMAND_EVAL|PLUGINS_ENABLED|LOCAL_HOOKS_ENABLED|GIT_\w+_FLAGS|GIT_MIRRORS_\w+|SSH_KEYSCAN|REDACTED_VARS|AGENT_ACCESS_TOKEN|AGENT_ENDPOINT|AGENT_PID|AGENT_DEBUG|ENV_FILE|CANCEL_\w+|STRICT_SINGLE_HOOKS|BOOTSTRAP_PHASES|SKIP_CHECKOUT|PLUGINS|AGENT_META_DATA_\w+)$/;

const withoutAgentsOwn = (env: Variables): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ofAgent.test(name)));

/** Agents do not know short names. */
function pluginVariables(
  plugins: readonly PluginUse[],
  policy: PluginPolicy,
): Record<string, string> {
  const used = plugins.filter((use) => pluginAction(policy, use) === 'run');
  if (used.length === 0) return {};
  const list = used.map(({ source, config }) => ({ [sourceForAgents(source)]: config }));
  return { BUILDKITE_PLUGINS: JSON.stringify(list) };
}

/** A path alone they would take for a host, and `git@host:path` for no address at all. */
const sourceForAgents = (source: string): string =>
  source.startsWith('/')
    ? `file://${source}`
    : fullPluginSource(source).replace(/^([^/\s:@]+@[^/\s:]+):(?!\/)/, 'ssh://$1/');

/** Version 3 knows the phases alone; with them nobody makes a folder. */
const withoutCheckout = ({ version }: AgentFacts): Record<string, string> =>
  /^v?[0-3]\./.test(version)
    ? { BUILDKITE_BOOTSTRAP_PHASES: 'plugin,command' }
    : { BUILDKITE_SKIP_CHECKOUT: 'true' };

// The tags of an agent as its jobs find them.

/** `os=linux` is `BUILDKITE_AGENT_META_DATA_OS`; of several values of one tag the first counts. */
function tagVariables(tags: readonly string[]): Record<string, string> {
  const pairs = tags.map((tag): [string, string] => {
    const mark = tag.indexOf('=');
    const [key, value] = mark < 0 ? [tag, 'true'] : [tag.slice(0, mark), tag.slice(mark + 1)];
    return [`BUILDKITE_AGENT_META_DATA_${key.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`, value];
  });
  return Object.fromEntries(pairs.reverse());
}
