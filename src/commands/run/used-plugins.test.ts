import { expect, test } from 'vitest';
import { usedPlugins } from './used-plugins.ts';

test.each([
  [undefined, []],
  ['', []],
  ['[]', []],
  ['null', []],
  ['["a#v1"]', [{ source: 'a#v1', config: null }]],
  [
    '[{"a#v1":{"x":[1,"2"]}},{"b":null}]',
    [
      { source: 'a#v1', config: { x: [1, '2'] } },
      { source: 'b', config: null },
    ],
  ],
])('%j', (text, plugins) => {
  expect(usedPlugins(text)).toEqual(plugins);
});

test.each(['{', '{"a":1}', '[1]', '[["a"]]', '1'])('refuses %s', (text) => {
  expect(() => usedPlugins(text)).toThrow('are no list of plugins');
});
