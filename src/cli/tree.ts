/**
 * All commands: each paired with the lazy import of its handler, and the words that lead to it.
 * The import stands beside the data and not in it, or the types of the two would be circular.
 */
import {
  annotate,
  annotationsCreate,
  annotationsList,
  annotationsView,
} from '../commands/annotations/index.ts';
import { api } from '../commands/api/index.ts';
import { authLogin, authLogout, authStatus, authToken } from '../commands/auth/index.ts';
import {
  buildsCancel,
  buildsCreate,
  buildsFailures,
  buildsList,
  buildsRebuild,
  buildsReport,
  buildsStats,
  buildsView,
  buildsWatch,
} from '../commands/builds/index.ts';
import { emojisList } from '../commands/emojis/index.ts';
import { graphql } from '../commands/graphql/index.ts';
import {
  jobDeleteLog,
  jobEnv,
  jobList,
  jobLog,
  jobRetry,
  jobUnblock,
  jobView,
} from '../commands/job/index.ts';
import {
  localAgentTokenCreate,
  localAgentTokenList,
  localAgentTokenRevoke,
  localAgentPause,
  localAgentResume,
  localAgentStart,
  localAgentStop,
  localAgents,
  localArtifacts,
  localArtifactsDownload,
  localPipelineAdd,
  localPipelineList,
  localPipelineRemove,
  localPipelineSet,
  localDown,
  localLogs,
  localOpen,
  localPrune,
  localReset,
  localStatus,
  localUp,
  localOrgAdd,
  localSecretList,
  localSecretRemove,
  localSecretSet,
  localTokenCreate,
  localUserAdd,
} from '../commands/local/index.ts';
import { mcp } from '../commands/mcp/index.ts';
import { metricsCommand } from '../commands/metrics/index.ts';
import { orgsList, orgsView } from '../commands/orgs/index.ts';
import {
  profileList,
  profileRemove,
  profileSet,
  profileUse,
  profileView,
} from '../commands/profile/index.ts';
import { rulesCreate, rulesDelete, rulesList, rulesView } from '../commands/rules/index.ts';
import { runCommand } from '../commands/run/index.ts';
import { tokenRevoke, tokenView } from '../commands/token/index.ts';
import type { Command, Handler } from '../command/command.ts';
import { completion, helpCommand } from './own-commands.ts';

/** A command with its handler still on disk. */
export interface Entry {
  readonly command: Command;
  load(): Promise<Handler<Command>>;
}

const entry = <C extends Command>(command: C, load: () => Promise<Handler<C>>): Entry => ({
  command,
  load: load as Entry['load'],
});

/** In the order of the help. */
export const entries: readonly Entry[] = [
  entry(buildsList, async () => (await import('../commands/builds/list.ts')).listBuilds),
  entry(buildsView, async () => (await import('../commands/builds/view.ts')).viewBuild),
  entry(buildsCreate, async () => (await import('../commands/builds/create.ts')).createBuild),
  entry(buildsCancel, async () => (await import('../commands/builds/cancel.ts')).cancelBuilds),
  entry(buildsRebuild, async () => (await import('../commands/builds/create.ts')).rebuildBuild),
  entry(buildsWatch, async () => (await import('../commands/builds/watch.ts')).watchBuild),
  entry(buildsStats, async () => (await import('../commands/builds/stats.ts')).showStats),
  entry(buildsFailures, async () => (await import('../commands/builds/failures.ts')).showFailures),
  entry(
    buildsReport,
    async () => (await import('../commands/builds/report/report.ts')).reportBuild,
  ),
  entry(jobList, async () => (await import('../commands/job/verbs.ts')).listJobs),
  entry(jobView, async () => (await import('../commands/job/verbs.ts')).viewJob),
  entry(jobLog, async () => (await import('../commands/job/log.ts')).printLog),
  entry(jobRetry, async () => (await import('../commands/job/retry.ts')).retryJobs),
  entry(jobUnblock, async () => (await import('../commands/job/unblock.ts')).unblockJob),
  entry(jobDeleteLog, async () => (await import('../commands/job/delete-log.ts')).deleteLog),
  entry(jobEnv, async () => (await import('../commands/job/env.ts')).showEnv),
  entry(annotate, async () => (await import('../commands/annotations/create.ts')).createAnnotation),
  entry(
    annotationsList,
    async () => (await import('../commands/annotations/verbs.ts')).listAnnotations,
  ),
  entry(
    annotationsView,
    async () => (await import('../commands/annotations/verbs.ts')).viewAnnotation,
  ),
  entry(
    annotationsCreate,
    async () => (await import('../commands/annotations/create.ts')).createAnnotation,
  ),
  entry(rulesList, async () => (await import('../commands/rules/verbs.ts')).listRules),
  entry(rulesView, async () => (await import('../commands/rules/verbs.ts')).viewRule),
  entry(rulesCreate, async () => (await import('../commands/rules/verbs.ts')).createRule),
  entry(rulesDelete, async () => (await import('../commands/rules/verbs.ts')).deleteRule),
  entry(orgsList, async () => (await import('../commands/orgs/verbs.ts')).listOrganizations),
  entry(orgsView, async () => (await import('../commands/orgs/verbs.ts')).viewOrganization),
  entry(emojisList, async () => (await import('../commands/emojis/list.ts')).listEmojis),
  entry(tokenView, async () => (await import('../commands/token/verbs.ts')).viewToken),
  entry(tokenRevoke, async () => (await import('../commands/token/verbs.ts')).revokeToken),
  entry(metricsCommand, async () => (await import('../commands/metrics/metrics.ts')).showMetrics),
  entry(graphql, async () => (await import('../commands/graphql/query.ts')).runQuery),
  entry(api, async () => (await import('../commands/api/request.ts')).sendRequest),
  entry(authLogin, async () => (await import('../commands/auth/login.ts')).login),
  entry(authLogout, async () => (await import('../commands/auth/logout.ts')).logout),
  entry(authStatus, async () => (await import('../commands/auth/status.ts')).showStatus),
  entry(authToken, async () => (await import('../commands/auth/status.ts')).printToken),
  entry(profileList, async () => (await import('../commands/profile/verbs.ts')).listProfiles),
  entry(profileUse, async () => (await import('../commands/profile/verbs.ts')).chooseProfile),
  entry(profileView, async () => (await import('../commands/profile/verbs.ts')).viewProfile),
  entry(profileSet, async () => (await import('../commands/profile/verbs.ts')).setSetting),
  entry(
    profileRemove,
    async () => (await import('../commands/profile/verbs.ts')).removeNamedProfile,
  ),
  entry(mcp, async () => (await import('../commands/mcp/serve.ts')).serveTools),
  entry(runCommand, async () => (await import('../commands/run/run.ts')).runPipeline),
  entry(localUp, async () => (await import('../commands/local/up.ts')).bringUpService),
  entry(localDown, async () => (await import('../commands/local/verbs.ts')).stopLocal),
  entry(localStatus, async () => (await import('../commands/local/verbs.ts')).showServiceStatus),
  entry(localOpen, async () => (await import('../commands/local/open.ts')).openPage),
  entry(localLogs, async () => (await import('../commands/local/verbs.ts')).printServiceLog),
  entry(localPrune, async () => (await import('../commands/local/verbs.ts')).pruneBuilds),
  entry(localReset, async () => (await import('../commands/local/verbs.ts')).resetService),
  entry(localPipelineAdd, async () => (await import('../commands/local/pipelines.ts')).addPipeline),
  entry(localPipelineList, async () => (await import('../commands/local/verbs.ts')).listPipelines),
  entry(
    localPipelineRemove,
    async () => (await import('../commands/local/pipelines.ts')).removePipeline,
  ),
  entry(localPipelineSet, async () => (await import('../commands/local/pipelines.ts')).setPipeline),
  entry(
    localAgentTokenCreate,
    async () => (await import('../commands/local/tokens.ts')).createAgentToken,
  ),
  entry(
    localAgentTokenList,
    async () => (await import('../commands/local/tokens.ts')).listAgentTokens,
  ),
  entry(
    localAgentTokenRevoke,
    async () => (await import('../commands/local/tokens.ts')).revokeAgentToken,
  ),
  entry(localSecretSet, async () => (await import('../commands/local/secret.ts')).setSecret),
  entry(localSecretList, async () => (await import('../commands/local/secret.ts')).listSecrets),
  entry(localSecretRemove, async () => (await import('../commands/local/secret.ts')).removeSecret),
  entry(localArtifacts, async () => (await import('../commands/local/artifacts.ts')).listArtifacts),
  entry(
    localArtifactsDownload,
    async () => (await import('../commands/local/artifacts.ts')).downloadArtifacts,
  ),
  entry(localAgents, async () => (await import('../commands/local/agents.ts')).listAgents),
  entry(localAgentStart, async () => (await import('../commands/local/agents.ts')).startAgents),
  entry(localAgentStop, async () => (await import('../commands/local/agents.ts')).stopAgent),
  entry(localAgentPause, async () => (await import('../commands/local/agents.ts')).pauseAgent),
  entry(localAgentResume, async () => (await import('../commands/local/agents.ts')).resumeAgent),
  entry(localOrgAdd, async () => (await import('../commands/local/verbs.ts')).addOrganization),
  entry(localUserAdd, async () => (await import('../commands/local/verbs.ts')).addUser),
  entry(localTokenCreate, async () => (await import('../commands/local/tokens.ts')).createToken),
  entry(completion, async () => (await import('./completion/scripts.ts')).printCompletion),
  entry(helpCommand, async () => (await import('./help.ts')).printHelp),
];

/** A word of a command line: it leads to further words, to a command, or to both. */
export interface Node {
  readonly words: ReadonlyMap<string, Node>;
  readonly entry?: Entry;
}

/** The words of all commands as a tree, for parsing, help and completion. */
export function commandTree(all: readonly Entry[] = entries): Node {
  const root: MutableNode = { words: new Map() };
  for (const item of all) {
    let node = root;
    for (const word of item.command.name.split(' ')) {
      const next = node.words.get(word) ?? { words: new Map() };
      node.words.set(word, next);
      node = next;
    }
    node.entry = item;
    if (item.command.isList === true) node.words.set('list', { words: new Map(), entry: item });
  }
  return root;
}

interface MutableNode {
  words: Map<string, MutableNode>;
  entry?: Entry;
}

/** The node that a word leads to: as written, or in another form. */
export function childOf(node: Node, word: string): Node | undefined {
  const exact = node.words.get(word);
  if (exact !== undefined) return exact;
  const [, other] =
    [...node.words].find(([name, next]) => aliasesOf(name, next).includes(word)) ?? [];
  return other;
}

/** The other forms of a word: `ls` for `list`, the other number of a noun. */
export const aliasesOf = (word: string, { words }: Node): string[] => [
  ...(word === 'list' ? ['ls'] : []),
  ...(words.size > 0 ? [word.endsWith('s') ? word.slice(0, -1) : `${word}s`] : []),
];
