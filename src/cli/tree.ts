/**
 * All commands: each paired with the lazy import of its handler, and the words that lead to it.
 * The import stands beside the data and not in it, or the types of the two would be circular.
 */
import { annotate, annotationsCreate } from '../commands/annotations/create.ts';
import { annotationsList } from '../commands/annotations/list.ts';
import { annotationsView } from '../commands/annotations/view.ts';
import { api } from '../commands/api/request.ts';
import { authLogin } from '../commands/auth/login.ts';
import { authLogout } from '../commands/auth/logout.ts';
import { authStatus } from '../commands/auth/status.ts';
import { authToken } from '../commands/auth/token.ts';
import { buildsCancel } from '../commands/builds/cancel.ts';
import { buildsCreate } from '../commands/builds/create.ts';
import { buildsFailures } from '../commands/builds/failures.ts';
import { buildsList } from '../commands/builds/list.ts';
import { buildsRebuild } from '../commands/builds/rebuild.ts';
import { buildsView } from '../commands/builds/view.ts';
import { buildsWatch } from '../commands/builds/watch.ts';
import { emojisList } from '../commands/emojis/list.ts';
import { graphql } from '../commands/graphql/query.ts';
import { jobDeleteLog } from '../commands/job/delete-log.ts';
import { jobEnv } from '../commands/job/env.ts';
import { jobList } from '../commands/job/list.ts';
import { jobLog } from '../commands/job/log.ts';
import { jobRetry } from '../commands/job/retry.ts';
import { jobUnblock } from '../commands/job/unblock.ts';
import { jobView } from '../commands/job/view.ts';
import { localDown } from '../commands/local/down.ts';
import { localLogs } from '../commands/local/logs.ts';
import { localOrgAdd } from '../commands/local/org-add.ts';
import { localPipelineAdd } from '../commands/local/pipeline-add.ts';
import { localPipelineList } from '../commands/local/pipeline-list.ts';
import { localPipelineRemove } from '../commands/local/pipeline-remove.ts';
import { localPipelineSet } from '../commands/local/pipeline-set.ts';
import { localReset } from '../commands/local/reset.ts';
import { localStatus } from '../commands/local/status.ts';
import { localTokenCreate } from '../commands/local/token-create.ts';
import { localUp } from '../commands/local/up.ts';
import { localUserAdd } from '../commands/local/user-add.ts';
import { metricsCommand } from '../commands/metrics/metrics.ts';
import { orgsList } from '../commands/orgs/list.ts';
import { orgsView } from '../commands/orgs/view.ts';
import { profileList } from '../commands/profile/list.ts';
import { profileRemove } from '../commands/profile/remove.ts';
import { profileSet } from '../commands/profile/set.ts';
import { profileUse } from '../commands/profile/use.ts';
import { profileView } from '../commands/profile/view.ts';
import { rulesCreate } from '../commands/rules/create.ts';
import { rulesDelete } from '../commands/rules/delete.ts';
import { rulesList } from '../commands/rules/list.ts';
import { rulesView } from '../commands/rules/view.ts';
import { runCommand } from '../commands/run/run.ts';
import { tokenRevoke } from '../commands/token/revoke.ts';
import { tokenView } from '../commands/token/view.ts';
import type { Command, Handler } from './command.ts';
import { completion } from './completion/completion.ts';
import { helpCommand } from './help.command.ts';

/** A command with its handler still on disk. */
export interface Entry {
  readonly command: Command;
  load(): Promise<Handler<Command>>;
}

const entry = <C extends Command>(
  command: C,
  load: () => Promise<{ readonly run: Handler<C> }>,
): Entry => ({ command, load: async () => (await load()).run as Handler<Command> });

/** In the order of the help. */
export const entries: readonly Entry[] = [
  entry(buildsList, () => import('../commands/builds/list.run.ts')),
  entry(buildsView, () => import('../commands/builds/view.run.ts')),
  entry(buildsCreate, () => import('../commands/builds/create.run.ts')),
  entry(buildsCancel, () => import('../commands/builds/cancel.run.ts')),
  entry(buildsRebuild, () => import('../commands/builds/rebuild.run.ts')),
  entry(buildsWatch, () => import('../commands/builds/watch.run.ts')),
  entry(buildsFailures, () => import('../commands/builds/failures.run.ts')),
  entry(jobList, () => import('../commands/job/list.run.ts')),
  entry(jobView, () => import('../commands/job/view.run.ts')),
  entry(jobLog, () => import('../commands/job/log.run.ts')),
  entry(jobRetry, () => import('../commands/job/retry.run.ts')),
  entry(jobUnblock, () => import('../commands/job/unblock.run.ts')),
  entry(jobDeleteLog, () => import('../commands/job/delete-log.run.ts')),
  entry(jobEnv, () => import('../commands/job/env.run.ts')),
  entry(annotate, () => import('../commands/annotations/create.run.ts')),
  entry(annotationsList, () => import('../commands/annotations/list.run.ts')),
  entry(annotationsView, () => import('../commands/annotations/view.run.ts')),
  entry(annotationsCreate, () => import('../commands/annotations/create.run.ts')),
  entry(rulesList, () => import('../commands/rules/list.run.ts')),
  entry(rulesView, () => import('../commands/rules/view.run.ts')),
  entry(rulesCreate, () => import('../commands/rules/create.run.ts')),
  entry(rulesDelete, () => import('../commands/rules/delete.run.ts')),
  entry(orgsList, () => import('../commands/orgs/list.run.ts')),
  entry(orgsView, () => import('../commands/orgs/view.run.ts')),
  entry(emojisList, () => import('../commands/emojis/list.run.ts')),
  entry(tokenView, () => import('../commands/token/view.run.ts')),
  entry(tokenRevoke, () => import('../commands/token/revoke.run.ts')),
  entry(metricsCommand, () => import('../commands/metrics/metrics.run.ts')),
  entry(graphql, () => import('../commands/graphql/query.run.ts')),
  entry(api, () => import('../commands/api/request.run.ts')),
  entry(authLogin, () => import('../commands/auth/login.run.ts')),
  entry(authLogout, () => import('../commands/auth/logout.run.ts')),
  entry(authStatus, () => import('../commands/auth/status.run.ts')),
  entry(authToken, () => import('../commands/auth/token.run.ts')),
  entry(profileList, () => import('../commands/profile/list.run.ts')),
  entry(profileUse, () => import('../commands/profile/use.run.ts')),
  entry(profileView, () => import('../commands/profile/view.run.ts')),
  entry(profileSet, () => import('../commands/profile/set.run.ts')),
  entry(profileRemove, () => import('../commands/profile/remove.run.ts')),
  entry(runCommand, () => import('../commands/run/run.run.ts')),
  entry(localUp, () => import('../commands/local/up.run.ts')),
  entry(localDown, () => import('../commands/local/down.run.ts')),
  entry(localStatus, () => import('../commands/local/status.run.ts')),
  entry(localLogs, () => import('../commands/local/logs.run.ts')),
  entry(localReset, () => import('../commands/local/reset.run.ts')),
  entry(localPipelineAdd, () => import('../commands/local/pipeline-add.run.ts')),
  entry(localPipelineList, () => import('../commands/local/pipeline-list.run.ts')),
  entry(localPipelineRemove, () => import('../commands/local/pipeline-remove.run.ts')),
  entry(localPipelineSet, () => import('../commands/local/pipeline-set.run.ts')),
  entry(localOrgAdd, () => import('../commands/local/org-add.run.ts')),
  entry(localUserAdd, () => import('../commands/local/user-add.run.ts')),
  entry(localTokenCreate, () => import('../commands/local/token-create.run.ts')),
  entry(completion, () => import('./completion/completion.run.ts')),
  entry(helpCommand, () => import('./help.run.ts')),
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
  }
  return root;
}

interface MutableNode {
  words: Map<string, MutableNode>;
  entry?: Entry;
}

/** The node that a word leads to: as written, or in another form. */
export function follow(node: Node, word: string): Node | undefined {
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
