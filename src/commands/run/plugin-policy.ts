import { usageError } from '../../errors.ts';
import type { PluginAction, PluginPolicy } from '../../service/run-options.ts';
import { didYouMean } from '../../suggest.ts';

const actions: readonly PluginAction[] = ['run', 'skip', 'error'];

/**
 * What becomes of plugins, from the values of `--plugins`: `skip` for all that have no word of
 * their own, `skip=ecr,docker` for these. Code 2 for values that are none or that contradict.
 */
export function parsePluginPolicy(texts: readonly string[]): PluginPolicy {
  const ofAll = new Map<string, PluginAction>();
  const named = new Map<string, PluginAction>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const action = parseAction(at === -1 ? text : text.slice(0, at), text);
    if (at === -1) put(ofAll, 'all plugins', action);
    else
      for (const name of text.slice(at + 1).split(',')) put(named, parseName(name, text), action);
  }
  return { default: ofAll.get('all plugins') ?? 'run', named: Object.fromEntries(named) };
}

function parseAction(word: string, text: string): PluginAction {
  const action = actions.find((one) => one === word);
  if (action !== undefined) return action;
  const list = actions.join(', ');
  const meant = didYouMean(word, actions);
  throw usageError(
    `--plugins takes ${list}, or one of them with names (skip=ecr), not "${text}"${meant}`,
  );
}

function parseName(text: string, whole: string): string {
  const name = text.trim();
  if (name === '') throw usageError(`--plugins ${whole} names no plugin`);
  if (/^[\w.-]+$/.test(name)) return name;
  throw usageError(
    `--plugins takes the name of a plugin without organization and version, not "${name}"`,
  );
}

function put(actionOf: Map<string, PluginAction>, name: string, action: PluginAction): void {
  const before = actionOf.get(name) ?? action;
  if (before !== action) throw usageError(`--plugins says both ${before} and ${action} of ${name}`);
  actionOf.set(name, action);
}
