/** The keys that a pipeline file may have. */
import type { Reading } from './reading.ts';
import { suggest } from '../../common/suggest.ts';
import type { Entry, Mapping } from './value.ts';

export interface Keys {
  /** For messages. */
  readonly name: string;
  readonly run: readonly string[];
  /** Keys without effect here, each with the notice that says so. */
  readonly shown: Readonly<Record<string, string>>;
}

const names = ['key', 'id', 'identifier', 'label', 'name', 'type'];
const order = ['depends_on', 'allow_dependency_failure', 'if', 'branches'];

const shown = {
  agents: '`agents` is shown but not obeyed: every job runs on this machine',
  notify: '`notify` is not obeyed: nothing is sent from this machine',
  cache: '`cache` is not obeyed: files stay where jobs leave them',
  image: '`image` is not obeyed: jobs run on this machine itself',
};

const shownOfManual = {
  allowed_teams: '`allowed_teams` is not obeyed: whoever can reach the service may unblock',
};

export const pipelineKeys: Keys = {
  name: 'a pipeline',
  run: ['steps', 'env', 'secrets', 'priority', 'checkout'],
  shown,
};

export const commandKeys: Keys = {
  name: 'a command step',
  run: [
    ...names,
    ...order,
    ...['command', 'commands', 'script', 'plugins', 'env', 'if_changed', 'skip', 'soft_fail'],
    ...['retry', 'timeout_in_minutes', 'timeout', 'parallelism', 'matrix', 'artifact_paths'],
    ...['priority', 'concurrency', 'concurrency_group', 'concurrency_method'],
    ...['cancel_on_build_failing', 'secrets', 'checkout'],
  ],
  shown: {
    ...shown,
    agent_query_rules: '`agent_query_rules` is not obeyed: every job runs on this machine',
    artifacts: '`artifacts` is not obeyed: `artifact_paths` says what is kept',
    signature: '`signature` is not checked on this machine',
  },
};

export const waitKeys: Keys = {
  name: 'a wait step',
  run: [...names, ...order, 'wait', 'waiter', 'continue_on_failure', 'if_changed', 'skip'],
  shown: {},
};

const manual = ['prompt', 'fields', 'blocked_state', 'if_changed', 'skip'];

export const blockKeys: Keys = {
  name: 'a block step',
  run: [...names, ...order, ...manual, 'block', 'manual'],
  shown: shownOfManual,
};

export const inputKeys: Keys = {
  name: 'an input step',
  run: [...names, ...order, ...manual, 'input'],
  shown: shownOfManual,
};

export const triggerKeys: Keys = {
  name: 'a trigger step',
  run: [...names, ...order, 'trigger', 'build', 'async', 'soft_fail', 'skip', 'if_changed'],
  shown: { agents: shown.agents, notify: shown.notify },
};

export const groupKeys: Keys = {
  name: 'a group',
  run: [...names, ...order, 'group', 'steps', 'skip', 'if_changed'],
  shown: { notify: shown.notify },
};

/** Reports every key that is unknown or has no effect. */
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
  const known = [...keys.run, ...Object.keys(keys.shown)];
  const isPipeline = keys === pipelineKeys;
  // A pipeline may keep its anchors under a key of any name.
  if (isPipeline && value.anchored && suggest(key, known) === undefined) return;
  const text = `unknown key \`${key}\` of ${keys.name}`;
  const hint = reading.didYouMean(key, known);
  if (isPipeline || reading.allowsUnknownKeys === true)
    reading.notice(at, `${text} has no effect${hint}`);
  else reading.problem(at, `${text}${hint}`);
}

/** `; did you mean …?` with the name in backticks, or nothing. */
export function didYouMeanCode(word: string, known: readonly string[]): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}
