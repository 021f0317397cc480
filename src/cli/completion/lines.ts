import { readProfiles } from '../../config/profiles.ts';
import { topics } from '../topics.ts';
import { complete } from './complete.ts';
import type { Env } from '../../env.ts';

/** What `__complete` prints: one candidate a line, its summary behind a tab. */
export function completionLines(words: readonly string[], env: Env): string {
  const profiles = (): string[] => [...readProfiles(env).profiles.keys()];
  return complete(words, { profiles, topics: [...Object.keys(topics), 'flags'] })
    .map(({ text, summary }) => `${text}\t${summary}\n`)
    .join('');
}
