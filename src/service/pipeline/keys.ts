import type { Reading } from './reading.ts';
import { suggest } from '../../common/suggest.ts';
import type { Mapping } from './value.ts';

export interface Keys {
  readonly name: string;
  readonly run: readonly string[];
  /** Keys that are accepted but have no effect, each with the notice to print. */
  readonly shown?: Readonly<Record<string, string>>;
}

export type KindKeys = Required<Keys>;

const names = ['key', 'id', 'identifier', 'label', 'name', 'type'];
const order = ['depends_on', 'allow_dependency_failure', 'if', 'branches'];

const shown = {
  agents: '`agents` is shown but has no effect: every job runs on this machine',
  notify: '`notify` has no effect: notifications are not sent',
  cache: '`cache` has no effect: files stay where jobs leave them',
  image: '`image` has no effect: jobs run directly on this machine',
};

const shownOfManual = {
  allowed_teams: '`allowed_teams` is ignored: anyone with access to the service can unblock',
};

export const pipelineKeys: KindKeys = {
  name: 'a pipeline',
  run: ['steps', 'env', 'secrets', 'priority', 'checkout'],
  shown,
};

export const commandKeys: KindKeys = {
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
    agent_query_rules: '`agent_query_rules` has no effect: every job runs on this machine',
    artifacts: '`artifacts` has no effect: use `artifact_paths` instead',
    signature: '`signature` is not checked on this machine',
  },
};

export const waitKeys: KindKeys = {
  name: 'a wait step',
  run: [...names, ...order, 'wait', 'waiter', 'continue_on_failure', 'if_changed', 'skip'],
  shown: {},
};

const manual = ['prompt', 'fields', 'blocked_state', 'if_changed', 'skip'];

export const blockKeys: KindKeys = {
  name: 'a block step',
  run: [...names, ...order, ...manual, 'block', 'manual'],
  shown: shownOfManual,
};

export const inputKeys: KindKeys = {
  name: 'an input step',
  run: [...names, ...order, ...manual, 'input'],
  shown: shownOfManual,
};

export const triggerKeys: KindKeys = {
  name: 'a trigger step',
  run: [...names, ...order, 'trigger', 'build', 'async', 'soft_fail', 'skip', 'if_changed'],
  shown: { agents: shown.agents, notify: shown.notify },
};

export const groupKeys: KindKeys = {
  name: 'a group',
  run: [...names, ...order, 'group', 'steps', 'skip', 'if_changed'],
  shown: { notify: shown.notify },
};

export function checkKeys(reading: Reading, { entries }: Mapping, keys: Keys): void {
  const { name, run, shown = {} } = keys;
  const isPipeline = keys === pipelineKeys;
  for (const { key, at, value } of entries.values()) {
    const notice = Object.hasOwn(shown, key) ? shown[key] : undefined;
    if (notice !== undefined) reading.notice(at, notice);
    if (notice !== undefined || run.includes(key)) continue;
    const known = [...run, ...Object.keys(shown)];
    // Authors define anchors under top-level keys of any name.
    if (isPipeline && value.anchored && suggest(key, known) === undefined) continue;
    const text = `unknown key \`${key}\` in ${name}`;
    const hint = reading.didYouMean(key, known);
    if (isPipeline || reading.allowsUnknownKeys === true)
      reading.notice(at, `${text} has no effect${hint}`);
    else reading.problem(at, `${text}${hint}`);
  }
}

/** Returns `; did you mean …?` with the suggestion in backticks, or an empty string. */
export function didYouMeanCode(word: string, known: readonly string[]): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}
