import { expect, test } from 'vitest';
import { wantsColor } from './color.ts';

test.each([
  ['a terminal', undefined, {}, true, true],
  ['a pipe', undefined, {}, false, false],
  ['--color in a pipe', true, { NO_COLOR: '1' }, false, true],
  ['--no-color', false, { FORCE_COLOR: '1' }, true, false],
  ['NO_COLOR before FORCE_COLOR', undefined, { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ['NO_COLOR with any value', undefined, { NO_COLOR: '0' }, true, false],
  ['an empty NO_COLOR', undefined, { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR in a pipe', undefined, { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', undefined, { FORCE_COLOR: '0' }, false, false],
  ['FORCE_COLOR=0 on a terminal', undefined, { FORCE_COLOR: '0' }, true, true],
  ['CLICOLOR_FORCE in a pipe', undefined, { CLICOLOR_FORCE: '1' }, false, true],
  [
    'CLICOLOR_FORCE before CLICOLOR=0',
    undefined,
    { CLICOLOR_FORCE: '1', CLICOLOR: '0' },
    true,
    true,
  ],
  ['an empty CLICOLOR_FORCE', undefined, { CLICOLOR_FORCE: '' }, false, false],
  ['CLICOLOR=0', undefined, { CLICOLOR: '0' }, true, false],
  ['CLICOLOR=1 in a pipe', undefined, { CLICOLOR: '1' }, false, false],
  ['TERM=dumb', undefined, { TERM: 'dumb' }, true, false],
  ['FORCE_COLOR before TERM=dumb', undefined, { TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
] as const)('%s', (_, flag, env, isTerminal, wanted) => {
  expect(wantsColor(flag, env, isTerminal)).toBe(wanted);
});
