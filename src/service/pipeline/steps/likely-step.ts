/** What a step that is refused was most likely meant to be, so that its other mistakes are reported. */
import { suggest } from '../../../common/suggest.ts';
import type { Entry, Mapping } from '../value.ts';
import { kinds, type Kind } from './kind.ts';

export interface LikelyStep {
  readonly kind: Kind;
  /** Less what says another kind. */
  readonly step: Mapping;
}

/** What has steps is a group; what says nothing, or `command` among others, is a command. */
export function likelyStep(step: Mapping): LikelyStep {
  const entries = [...step.entries.values()].filter(({ key }) => key !== 'type');
  const named = entries.filter(({ key }) => Object.hasOwn(kinds, key));
  const command = named.find(({ key }) => kinds[key] === 'command');
  const first = command ?? named[0] ?? misspelled(entries);
  const kind = step.entries.has('steps') ? 'group' : (kinds[first?.key ?? ''] ?? 'command');
  const others = entries.filter(({ key }) => (kinds[key] ?? kind) === kind);
  const all = kind === 'command' ? [commandOf(step, first), ...others] : others;
  const own = new Map(all.map((entry) => [entry.key, entry]));
  return { kind, step: { ...step, entries: own } };
}

/** `comand: x`, as what it was to be. */
function misspelled(entries: readonly Entry[]): Entry | undefined {
  for (const entry of entries) {
    const key = suggest(entry.key, Object.keys(kinds));
    if (key !== undefined && !Object.hasOwn(kinds, entry.key)) return { ...entry, key };
  }
  return undefined;
}

/** That it has no command is not wrong as well. */
const commandOf = ({ at }: Mapping, first: Entry | undefined): Entry =>
  first !== undefined && kinds[first.key] === 'command'
    ? first
    : {
        key: 'command',
        at,
        value: { kind: 'scalar', at, text: ':', isNull: false, anchored: false },
      };
