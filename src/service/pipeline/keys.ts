/**
 * Which keys a pipeline file may have: run, understood but not obeyed, or refused for now. A key
 * in none of the lists is unknown.
 */
import type { Reading } from './reading.ts';
import { suggest } from '../../suggest.ts';
import type { Entry, Mapping } from './value.ts';

export interface Keys {
  /** What the mapping is called in messages. */
  readonly name: string;
  readonly run: readonly string[];
  /** Reported as a notice: why it has no effect here. */
  readonly shown: Readonly<Record<string, string>>;
  /** Reported as a problem: it would change what runs. */
  readonly refused: readonly string[];
}

const names = ['key', 'id', 'identifier', 'label', 'name', 'type'];
const order = ['depends_on', 'allow_dependency_failure', 'if', 'branches'];

const shown = {
  agents: '`agents` is shown but not obeyed: every job runs on this machine',
  notify: '`notify` is not obeyed: nothing is sent from this machine',
  priority: '`priority` is not obeyed: jobs run in the order of the file',
  cache: '`cache` is not obeyed: files stay where jobs leave them',
  image: '`image` is not obeyed: jobs run on this machine itself',
};

export const pipelineKeys: Keys = {
  name: 'a pipeline',
  run: ['steps', 'env'],
  shown,
  refused: ['secrets'],
};

export const commandKeys: Keys = {
  name: 'a command step',
  run: [...names, 'command', 'commands', 'env', 'soft_fail', 'timeout_in_minutes'],
  shown,
  refused: [
    ...order,
    ...['if_changed', 'skip', 'retry', 'parallelism', 'matrix', 'artifact_paths', 'plugins'],
    ...['concurrency', 'concurrency_group', 'concurrency_method', 'secrets', 'signature'],
    ...['cancel_on_build_failing', 'checkout'],
  ],
};

export const waitKeys: Keys = {
  name: 'a wait step',
  run: [...names, 'wait', 'waiter', 'continue_on_failure'],
  shown: {},
  refused: order,
};

export const blockKeys: Keys = {
  name: 'a block step',
  run: [...names, 'block', 'manual', 'prompt', 'fields', 'blocked_state'],
  shown: {},
  refused: [...order, 'allowed_teams', 'skip'],
};

/** Tells every key that is unknown, refused or not obeyed. */
export function checkKeys(reading: Reading, mapping: Mapping, keys: Keys): void {
  for (const entry of mapping.entries.values()) checkKey(reading, entry, keys);
}

function checkKey(reading: Reading, { key, at, value }: Entry, keys: Keys): void {
  const notice = Object.hasOwn(keys.shown, key) ? keys.shown[key] : undefined;
  if (notice !== undefined) {
    reading.notice(at, notice);
    return;
  }
  if (keys.run.includes(key)) return;
  if (keys.refused.includes(key)) {
    reading.problem(at, `\`${key}\` of ${keys.name} is not run by this version`);
    return;
  }
  const close = suggest(key, [...keys.run, ...keys.refused, ...Object.keys(keys.shown)]);
  // A pipeline may keep its anchors under a key of its own choice.
  if (keys === pipelineKeys && value.anchored && close === undefined) return;
  const hint = close === undefined ? '' : `; did you mean \`${close}\`?`;
  reading.problem(at, `unknown key \`${key}\` of ${keys.name}${hint}`);
}
