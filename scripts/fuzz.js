/**
 * `npm run fuzz`: fuzzes every parser with a new seed and twenty times the usual input. To
 * reproduce a failure, set `CICTL_FUZZ_SEED`. Arguments are passed to vitest.
 */
import { randomInt } from 'node:crypto';
import { node, say, setUp } from './setup.js';

setUp();
const seed = process.env.CICTL_FUZZ_SEED ?? String(randomInt(2 ** 31));
const runs = process.env.CICTL_FUZZ_RUNS ?? '20';
say(`Fuzzing: CICTL_FUZZ_SEED=${seed} CICTL_FUZZ_RUNS=${runs} npm run fuzz`);
const args = process.argv.slice(2);
node(
  ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=86400000'].concat(
    args.length > 0 ? args : ['test/fuzz', 'random', 'mutated'],
  ),
  { ...process.env, CICTL_TEST_FULL: '1', CICTL_FUZZ_SEED: seed, CICTL_FUZZ_RUNS: runs },
);
