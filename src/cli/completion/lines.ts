import { cleanLine } from '../../common/untrusted-text.ts';
import { topics } from '../topics.ts';
import type { Candidate } from './candidate.ts';
import { complete, type LookUp } from './complete.ts';
import type { World } from './values/world.ts';

/**
 * What `__complete` prints: one candidate a line, its summary behind a tab. What cannot be looked up
 * is left out: an error has no place on a prompt.
 */
export async function completionLines(words: readonly string[], world: World): Promise<string> {
  const { candidates, lookUp } = complete(words, [...Object.keys(topics), 'flags']);
  const values = lookUp === undefined ? [] : await lookUpOrNothing(lookUp, world);
  return [...candidates, ...values].filter(isPrintable).map(lineOf).join('');
}

/** What is no printable word cannot be typed. */
const isPrintable = ({ text }: Candidate): boolean => cleanLine(text) === text;

const lineOf = ({ text, summary }: Candidate): string => `${text}\t${summary}\n`;

async function lookUpOrNothing(lookUp: LookUp, world: World): Promise<readonly Candidate[]> {
  try {
    const { lookUpValues } = await import('./values/look-up.ts');
    return await lookUpValues(lookUp, world);
  } catch {
    return [];
  }
}
