import { usageError } from '../../errors.ts';
import type { Json, PluginUse } from '../../service/pipeline/plan.ts';

/**
 * The plugins of a job from its `BUILDKITE_PLUGINS`: a JSON list whose entries are addresses, or
 * objects with the address as the only name. None where there is no such variable, or null in it.
 */
export function usedPlugins(text: unknown): PluginUse[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  const list = parse(text);
  if (list === null) return [];
  if (!Array.isArray(list)) throw unreadable(text);
  return (list as Json[]).flatMap((entry) => {
    if (typeof entry === 'string') return [{ source: entry, config: null }];
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw unreadable(text);
    return Object.entries(entry).map(([source, config]) => ({ source, config: config }));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(text);
  }
}

const unreadable = (text: string) =>
  usageError(`the BUILDKITE_PLUGINS of the job are no list of plugins: ${text.slice(0, 80)}`);
