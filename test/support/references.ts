/**
 * The context in which references are resolved: real settings, a real client and a scripted user.
 */
import { tmpdir } from 'node:os';
import { onTestFinished } from 'vitest';
import type { Profile } from '../../src/config/profiles.ts';
import { resolveSettings, type GlobalFlags } from '../../src/config/settings.ts';
import { usageError } from '../../src/errors.ts';
import type { Surroundings } from '../../src/refs/resolve.ts';
import { testClient } from './client.ts';
import { serve, type Exchange } from './server.ts';
import { virtualClock } from './virtual-clock.ts';
import type { Env } from '../../src/common/env.ts';

export interface Situation {
  /** The exact requests that are expected. */
  readonly exchanges?: readonly Exchange[];
  readonly flags?: GlobalFlags;
  readonly env?: Env;
  readonly profiles?: Readonly<Record<string, Profile>>;
  /** Defaults to a directory outside of any checkout. */
  readonly cwd?: string;
  /** The index of the choice that the user makes, from 0. If omitted, prompts are not possible. */
  readonly chooses?: number;
}

export interface TestSurroundings extends Surroundings {
  /** Messages on standard error. */
  readonly notes: string[];
  /** The number of times that the bell rang. */
  readonly bells: () => number;
  /** The choices that the user was offered. */
  readonly offered: string[];
}

/** Uses `acme/web` unless flags or the environment say otherwise. */
export async function surroundings(situation: Situation = {}): Promise<TestSurroundings> {
  const server = await serve(situation.exchanges ?? []);
  const client = testClient(server.url, virtualClock());
  onTestFinished(() => client.close());
  const [notes, offered]: [string[], string[]] = [[], []];
  let bells = 0;
  return {
    settings: settingsOf(situation),
    client: () => Promise.resolve(client),
    messages: {
      ...messagesTo(notes),
      bell: () => {
        bells += 1;
      },
    },
    bells: () => bells,
    prompts: userWho(situation.chooses, offered),
    cwd: situation.cwd ?? tmpdir(),
    env: situation.env ?? {},
    remembered: {
      get: () => Promise.resolve(undefined),
      put: () => Promise.resolve(),
      drop: () => Promise.resolve(),
    },
    notes,
    offered,
  };
}

function settingsOf({ flags = {}, env = {}, profiles = {} }: Situation) {
  const acme = { org: 'acme', pipeline: 'web', baseUrl: 'https://acme.example.com', token: 't' };
  const all = new Map<string, Profile>(Object.entries({ acme, ...profiles }));
  return resolveSettings(flags, env, () => ({ current: 'acme', profiles: all }));
}

function messagesTo(notes: string[]): Surroundings['messages'] {
  const note = (line: string): void => void notes.push(line);
  const quiet = (): void => undefined;
  return {
    isTerminal: false,
    ...{ note, warn: note, error: note, debug: quiet },
    ...{ redirect: quiet, bell: quiet },
    progress: () => ({ update: quiet, stop: quiet }),
  };
}

function userWho(chooses: number | undefined, offered: string[]): Surroundings['prompts'] {
  const refuse = (): Promise<never> => Promise.reject(usageError('the user was asked'));
  return {
    available: chooses !== undefined,
    ...{ confirm: refuse, hidden: refuse, text: refuse },
    choose: (_question, choices) => {
      offered.push(...choices.map(({ cells }) => cells.join(' | ')));
      const choice = choices[chooses ?? -1];
      return choice === undefined ? refuse() : Promise.resolve(choice.value);
    },
  };
}
