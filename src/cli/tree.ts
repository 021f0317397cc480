/**
 * All commands, each with the lazy import of its handler. The imports are not part of the command
 * data, because command types and handler types would then depend on each other.
 */
import {
  annotate,
  annotationsCreate,
  annotationsList,
  annotationsView,
} from '../commands/annotations/index.ts';
import { api } from '../commands/api/index.ts';
import * as auth from '../commands/auth/index.ts';
import * as builds from '../commands/builds/index.ts';
import { emojisList } from '../commands/emojis/index.ts';
import { graphql } from '../commands/graphql/index.ts';
import * as job from '../commands/job/index.ts';
import * as local from '../commands/local/index.ts';
import { mcp } from '../commands/mcp/index.ts';
import { metricsCommand } from '../commands/metrics/index.ts';
import { orgsList, orgsView } from '../commands/orgs/index.ts';
import * as profile from '../commands/profile/index.ts';
import * as rules from '../commands/rules/index.ts';
import { runCommand } from '../commands/run/index.ts';
import { tokenRevoke, tokenView } from '../commands/token/index.ts';
import type { Command, Handler } from '../command/command.ts';
import { completion, helpCommand } from './own-commands.ts';

export interface Entry {
  readonly command: Command;
  load(): Promise<Handler<Command>>;
}

const entry = <C extends Command, Name extends string>(
  command: C,
  load: () => Promise<Readonly<Record<Name, Handler<C>>>>,
  name: Name,
): Entry => ({ command, load: async () => (await load())[name] as Handler<Command> });

/** In the order in which help lists them. */
export const entries: readonly Entry[] = [
  entry(builds.buildsList, () => import('../commands/builds/list.ts'), 'listBuilds'),
  entry(builds.buildsView, () => import('../commands/builds/view.ts'), 'viewBuild'),
  entry(builds.buildsCreate, () => import('../commands/builds/create.ts'), 'createBuild'),
  entry(builds.buildsCancel, () => import('../commands/builds/cancel.ts'), 'cancelBuilds'),
  entry(builds.buildsRebuild, () => import('../commands/builds/create.ts'), 'rebuildBuild'),
  entry(builds.buildsWatch, () => import('../commands/builds/watch.ts'), 'watchBuild'),
  entry(builds.buildsStats, () => import('../commands/builds/stats.ts'), 'showStats'),
  entry(builds.buildsFailures, () => import('../commands/builds/failures.ts'), 'showFailures'),
  entry(builds.buildsReport, () => import('../commands/builds/report/report.ts'), 'reportBuild'),
  entry(job.jobList, () => import('../commands/job/verbs.ts'), 'listJobs'),
  entry(job.jobView, () => import('../commands/job/verbs.ts'), 'viewJob'),
  entry(job.jobLog, () => import('../commands/job/log.ts'), 'printLog'),
  entry(job.jobRetry, () => import('../commands/job/retry.ts'), 'retryJobs'),
  entry(job.jobUnblock, () => import('../commands/job/unblock.ts'), 'unblockJob'),
  entry(job.jobDeleteLog, () => import('../commands/job/delete-log.ts'), 'deleteLog'),
  entry(job.jobEnv, () => import('../commands/job/env.ts'), 'showEnv'),
  entry(annotate, () => import('../commands/annotations/create.ts'), 'createAnnotation'),
  entry(annotationsList, () => import('../commands/annotations/verbs.ts'), 'listAnnotations'),
  entry(annotationsView, () => import('../commands/annotations/verbs.ts'), 'viewAnnotation'),
  entry(annotationsCreate, () => import('../commands/annotations/create.ts'), 'createAnnotation'),
  entry(rules.rulesList, () => import('../commands/rules/verbs.ts'), 'listRules'),
  entry(rules.rulesView, () => import('../commands/rules/verbs.ts'), 'viewRule'),
  entry(rules.rulesCreate, () => import('../commands/rules/verbs.ts'), 'createRule'),
  entry(rules.rulesDelete, () => import('../commands/rules/verbs.ts'), 'deleteRule'),
  entry(orgsList, () => import('../commands/orgs/verbs.ts'), 'listOrganizations'),
  entry(orgsView, () => import('../commands/orgs/verbs.ts'), 'viewOrganization'),
  entry(emojisList, () => import('../commands/emojis/list.ts'), 'listEmojis'),
  entry(tokenView, () => import('../commands/token/verbs.ts'), 'viewToken'),
  entry(tokenRevoke, () => import('../commands/token/verbs.ts'), 'revokeToken'),
  entry(metricsCommand, () => import('../commands/metrics/metrics.ts'), 'showMetrics'),
  entry(graphql, () => import('../commands/graphql/query.ts'), 'runQuery'),
  entry(api, () => import('../commands/api/request.ts'), 'sendRequest'),
  entry(auth.authLogin, () => import('../commands/auth/login.ts'), 'login'),
  entry(auth.authLogout, () => import('../commands/auth/logout.ts'), 'logout'),
  entry(auth.authStatus, () => import('../commands/auth/status.ts'), 'showStatus'),
  entry(auth.authToken, () => import('../commands/auth/status.ts'), 'printToken'),
  entry(profile.profileList, () => import('../commands/profile/verbs.ts'), 'listProfiles'),
  entry(profile.profileUse, () => import('../commands/profile/verbs.ts'), 'chooseProfile'),
  entry(profile.profileView, () => import('../commands/profile/verbs.ts'), 'viewProfile'),
  entry(profile.profileSet, () => import('../commands/profile/verbs.ts'), 'setSetting'),
  entry(profile.profileRemove, () => import('../commands/profile/verbs.ts'), 'removeNamedProfile'),
  entry(mcp, () => import('../commands/mcp/serve.ts'), 'serveTools'),
  entry(runCommand, () => import('../commands/run/run.ts'), 'runPipeline'),
  entry(local.localUp, () => import('../commands/local/up.ts'), 'bringUpService'),
  entry(local.localDown, () => import('../commands/local/verbs.ts'), 'stopLocal'),
  entry(local.localStatus, () => import('../commands/local/verbs.ts'), 'showServiceStatus'),
  entry(local.localOpen, () => import('../commands/local/open.ts'), 'openPage'),
  entry(local.localLogs, () => import('../commands/local/verbs.ts'), 'printServiceLog'),
  entry(local.localPrune, () => import('../commands/local/verbs.ts'), 'pruneBuilds'),
  entry(local.localReset, () => import('../commands/local/verbs.ts'), 'resetService'),
  entry(local.localPipelineAdd, () => import('../commands/local/pipelines.ts'), 'addPipeline'),
  entry(local.localPipelineList, () => import('../commands/local/verbs.ts'), 'listPipelines'),
  entry(
    local.localPipelineRemove,
    () => import('../commands/local/pipelines.ts'),
    'removePipeline',
  ),
  entry(local.localPipelineSet, () => import('../commands/local/pipelines.ts'), 'setPipeline'),
  entry(
    local.localAgentTokenCreate,
    () => import('../commands/local/tokens.ts'),
    'createAgentToken',
  ),
  entry(local.localAgentTokenList, () => import('../commands/local/tokens.ts'), 'listAgentTokens'),
  entry(
    local.localAgentTokenRevoke,
    () => import('../commands/local/tokens.ts'),
    'revokeAgentToken',
  ),
  entry(local.localSecretSet, () => import('../commands/local/secret.ts'), 'setSecret'),
  entry(local.localSecretList, () => import('../commands/local/secret.ts'), 'listSecrets'),
  entry(local.localSecretRemove, () => import('../commands/local/secret.ts'), 'removeSecret'),
  entry(local.localArtifacts, () => import('../commands/local/artifacts.ts'), 'listArtifacts'),
  entry(
    local.localArtifactsDownload,
    () => import('../commands/local/artifacts.ts'),
    'downloadArtifacts',
  ),
  entry(local.localAgents, () => import('../commands/local/agents.ts'), 'listAgents'),
  entry(local.localAgentStart, () => import('../commands/local/agents.ts'), 'startAgents'),
  entry(local.localAgentStop, () => import('../commands/local/agents.ts'), 'stopAgent'),
  entry(local.localAgentPause, () => import('../commands/local/agents.ts'), 'pauseAgent'),
  entry(local.localAgentResume, () => import('../commands/local/agents.ts'), 'resumeAgent'),
  entry(local.localOrgAdd, () => import('../commands/local/verbs.ts'), 'addOrganization'),
  entry(local.localUserAdd, () => import('../commands/local/verbs.ts'), 'addUser'),
  entry(local.localTokenCreate, () => import('../commands/local/tokens.ts'), 'createToken'),
  entry(completion, () => import('./completion/scripts.ts'), 'printCompletion'),
  entry(helpCommand, () => import('./help.ts'), 'printHelp'),
];

/** A word on the command line: it has subcommands, is a command, or both. */
export interface Node {
  readonly words: ReadonlyMap<string, Node>;
  readonly entry?: Entry;
}

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

/** Finds a word by its name or an alias. */
export function childOf(node: Node, word: string): Node | undefined {
  const exact = node.words.get(word);
  if (exact !== undefined) return exact;
  const [, other] =
    [...node.words].find(([name, next]) => aliasesOf(name, next).includes(word)) ?? [];
  return other;
}

/** `ls` for `list`, and the singular or plural of a noun. */
export const aliasesOf = (word: string, { words }: Node): string[] => [
  ...(word === 'list' ? ['ls'] : []),
  ...(words.size > 0 ? [word.endsWith('s') ? word.slice(0, -1) : `${word}s`] : []),
];
