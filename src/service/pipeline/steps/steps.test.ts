import { expect, test } from 'vitest';
import { problems } from '../../../../test/support/units/load-steps.ts';

test.each([
  [
    '- {comand: a, retry: {automatik: 1}, labl: x}',
    ['1:4: unknown', '1:23: unknown', '1:38: unknown'],
  ],
  [
    '- {wait: ~, command: x, retry: {automatik: 1}}',
    ['1:3: a step cannot', '1:33: unknown key `automatik`'],
  ],
  [
    '- {command: x, wait: ~, retry: {automatik: 1}}',
    ['1:3: a step cannot', '1:33: unknown key `automatik`'],
  ],
  ['- {label: q, env: [A]}', ['1:3: a step needs', "1:19: a step's `env`"]],
  [
    '- {group: g, command: x, labl: y, steps: [{command: a, env: [A]}]}',
    ['1:3: a step cannot', '1:26: unknown key', "1:61: a step's `env`"],
  ],
  [
    '- {type: grop, steps: [{command: a, env: [A]}]}',
    ['1:10: `type: grop` does not match', "1:42: a step's `env`"],
  ],
])('reports other problems besides an unknown step type: %s', (text, expected) => {
  expect(problems(text)).toEqual(expected.map((start): unknown => expect.stringContaining(start)));
});
