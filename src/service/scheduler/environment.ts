import type { Agent, Build, Job, Organization, Pipeline, Tree, User } from '../domain/records.ts';
import {
  buildVariables,
  jobEnvironment,
  standardVariables,
  type BuildFacts,
  fullPluginSource,
} from '../pipeline/environment.ts';
import type { Urls } from '../urls.ts';
import type { PluginUse } from '../pipeline/plan.ts';
import { pluginAction } from '../plugins/plugin.ts';
import type { PluginPolicy } from '../run-options.ts';
import type { EngineParts } from './engine-state.ts';
import { checkoutPath } from './workspace.ts';

type EnvironmentSources = Pick<EngineParts, 'store' | 'urls' | 'workspaces' | 'tags'>;

/** The jobs of `build` do not have to exist yet. */
export const factsOf = (
  urls: Urls,
  organization: Organization,
  pipeline: Pipeline,
  build: Omit<BuildFacts['build'], 'tag' | 'url' | 'creator'> & Pick<Build, 'env'>,
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

/** Returns the variables that a pipeline file can refer to. */
export const variablesOf = (
  facts: BuildFacts,
  env: Readonly<Record<string, string>>,
): Record<string, string> => ({ ...env, ...buildVariables(facts) });

/** Returns what `GET env` shows. Precedence: pipeline < build < step < standard variables. */
export function environmentOf(
  sources: EnvironmentSources,
  tree: Pick<Tree, 'build' | 'plan'>,
  job: Job,
): Record<string, string> {
  const { build, plan } = tree;
  const step = plan.steps[job.step];
  const command = step?.type === 'command' ? step : undefined;
  const { facts, pipeline } = factsFromStore(sources, tree);
  const standard = standardVariables({
    ...facts,
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

export function factsFromStore(
  { store, urls }: Pick<EnvironmentSources, 'store' | 'urls'>,
  { build }: Pick<Tree, 'build'>,
) {
  const organization = store.accounts.organizationById(build.organizationId);
  const pipeline = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || pipeline === undefined)
    throw new Error(`the pipeline of build ${build.id} no longer exists`);
  const creator = build.creatorId === null ? undefined : store.accounts.user(build.creatorId);
  return { pipeline, facts: factsOf(urls, organization, pipeline, build, creator) };
}

export interface AgentFacts extends Pick<Agent, 'id' | 'name'> {
  /** For example `4.0.0-beta.15`. */
  readonly version: string;
  /** For example `queue=default` or `os=linux`. */
  readonly tags: readonly string[];
}

type Variables = Readonly<Record<string, string>>;

/** Like `environmentOf`, but adds `code` and omits the variables that the agent sets itself. */
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
    ...Object.fromEntries(Object.entries(shown).filter(([variable]) => !ofAgent.test(variable))),
    ...{ BUILDKITE_AGENT_ID: id, BUILDKITE_AGENT_NAME: name, ...tagVariables(agent.tags) },
    ...pluginVariables(plugins, tree.build.options.plugins),
    ...(skips ? withoutCheckout(agent) : code),
  };
}

/** Variables that the agent sets itself. If the service sends one, the agent logs a warning. */
const ofAgent =
  /^BUILDKITE_(BUILD_PATH|BUILD_CHECKOUT_PATH|(ADDITIONAL_)?HOOKS_PATH|PLUGINS_PATH|SOCKETS_PATH|BIN_PATH|CONFIG_PATH|SHELL|COMMAND_EVAL|PLUGINS_ENABLED|LOCAL_HOOKS_ENABLED|GIT_\w+_FLAGS|GIT_MIRRORS_\w+|SSH_KEYSCAN|REDACTED_VARS|AGENT_ACCESS_TOKEN|AGENT_ENDPOINT|AGENT_PID|AGENT_DEBUG|ENV_FILE|CANCEL_\w+|STRICT_SINGLE_HOOKS|BOOTSTRAP_PHASES|SKIP_CHECKOUT|PLUGINS|AGENT_META_DATA_\w+)$/;

/** Expands short plugin names, because agents do not. */
function pluginVariables(
  plugins: readonly PluginUse[],
  policy: PluginPolicy,
): Record<string, string> {
  const used = plugins.filter((use) => pluginAction(policy, use) === 'run');
  if (used.length === 0) return {};
  const list = used.map(({ source, config }) => ({ [sourceForAgents(source)]: config }));
  return { BUILDKITE_PLUGINS: JSON.stringify(list) };
}

/** Agents mistake the first part of a path for a host, and do not support `git@host:path`. */
const sourceForAgents = (source: string): string =>
  source.startsWith('/')
    ? `file://${source}`
    : fullPluginSource(source).replace(/^([^/\s:@]+@[^/\s:]+):(?!\/)/, 'ssh://$1/');

/** Agents before version 4 cannot skip the checkout, so they get a list of the remaining phases. */
const withoutCheckout = ({ version }: AgentFacts): Record<string, string> =>
  /^v?[0-3]\./.test(version)
    ? { BUILDKITE_BOOTSTRAP_PHASES: 'plugin,command' }
    : { BUILDKITE_SKIP_CHECKOUT: 'true' };

/** `os=linux` becomes `BUILDKITE_AGENT_META_DATA_OS`. If a tag is repeated, the first is used. */
function tagVariables(tags: readonly string[]): Record<string, string> {
  const pairs = tags.map((tag): [string, string] => {
    const mark = tag.indexOf('=');
    const [key, value] = mark < 0 ? [tag, 'true'] : [tag.slice(0, mark), tag.slice(mark + 1)];
    return [`BUILDKITE_AGENT_META_DATA_${key.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`, value];
  });
  return Object.fromEntries(pairs.reverse());
}
