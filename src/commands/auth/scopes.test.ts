import { expect, test } from 'vitest';
import { scopeWords, wantedScopes } from './scopes.ts';

const all = wantedScopes.join(', ');

test.each([
  [wantedScopes, all],
  [[...wantedScopes, 'graphql'], `${all}, graphql`],
  [
    ['graphql', ...wantedScopes, 'read_suites', 'x'],
    `${all}, graphql\n2 not used by cictl (see cictl token view)`,
  ],
  [
    wantedScopes.slice(0, -1),
    `${wantedScopes.slice(0, -1).join(', ')}\nmissing: read_organizations`,
  ],
  [[], `none that cictl uses\nmissing: ${all}`],
])('%j', (scopes, words) => {
  expect(scopeWords(scopes)).toBe(words);
});
