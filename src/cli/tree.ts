/**
 * All commands: each paired with the lazy import of its handler, and the words that lead to it.
 * The import stands beside the data and not in it, or the types of the two would be circular.
 */
import { annotate, annotationsCreate } from '../commands/annotations/create.ts';
import { annotationsList } from '../commands/annotations/list.ts';
import { buildsCancel } from '../commands/builds/cancel.ts';
import { buildsCreate } from '../commands/builds/create.ts';
import { buildsList } from '../commands/builds/list.ts';
import { buildsRebuild } from '../commands/builds/rebuild.ts';
import { buildsView } from '../commands/builds/view.ts';
import { jobList } from '../commands/job/list.ts';
import { jobView } from '../commands/job/view.ts';
import type { Command, Handler } from './command.ts';
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
  entry(jobList, () => import('../commands/job/list.run.ts')),
  entry(jobView, () => import('../commands/job/view.run.ts')),
  entry(annotate, () => import('../commands/annotations/create.run.ts')),
  entry(annotationsCreate, () => import('../commands/annotations/create.run.ts')),
  entry(annotationsList, () => import('../commands/annotations/list.run.ts')),
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

/** The node that a word leads to: as written, `ls` for `list`, a noun in its other number. */
export function follow(node: Node, word: string): Node | undefined {
  const exact = node.words.get(word === 'ls' ? 'list' : word);
  if (exact !== undefined) return exact;
  const other = word.endsWith('s') ? word.slice(0, -1) : `${word}s`;
  const noun = node.words.get(other);
  return noun !== undefined && noun.words.size > 0 ? noun : undefined;
}
