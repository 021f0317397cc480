/** The environment of a job on a real agent, as the agent is given it. */
import type { Agent, Job, Tree } from '../domain/records.ts';
import type { PluginUse } from '../pipeline/plan.ts';
import { fullPluginSource } from '../pipeline/environment.ts';
import { pluginAction } from '../plugins/policy.ts';
import type { PluginPolicy } from '../run-options.ts';
import { environmentOf, type EnvironmentSources } from './environment.ts';
import { tagVariables } from './tag-variables.ts';

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
