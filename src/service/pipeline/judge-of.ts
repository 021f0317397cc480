import type { Judge } from './judge.ts';
import type { Reading } from './reading.ts';

/** Refuses what asks for the build: nothing runs unjudged. */
export function judgeOf(reading: Reading): Judge {
  const refuse =
    (key: string): Judge['condition'] =>
    (_, at) => {
      reading.problem(at, `\`${key}\` of a step is not run by this version`);
      return null;
    };
  return {
    condition: refuse('if'),
    branches: refuse('branches'),
    ifChanged: (_, at) => refuse('if_changed')('', at),
  };
}
