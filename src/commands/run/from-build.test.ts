import { expect, test } from 'vitest';
import { portableVariables, usedPlugins } from './from-build.ts';

test('lists omitted paths, tokens and agent variables, and drops regenerated ones silently', () => {
  const kept = { DEPLOY_ENV: 'staging', DB_PASSWORD: 'x', BUILDKITE_CUSTOM: 'y', EMPTY: '' };
  const machine = {
    PATH: '/agent/bin',
    HOME: '/var/lib/agent',
    BUILDKITE_AGENT_ACCESS_TOKEN: 't',
    BUILDKITE_AGENT_NAME: 'agent-1',
    BUILDKITE_BUILD_PATH: '/builds',
    BUILDKITE_HOOKS_PATH: '/hooks',
    BUILDKITE_GIT_CLEAN_FLAGS: '-ffxdq',
    CICTL_TOKEN: 't',
  };
  const anew = { BUILDKITE_JOB_ID: '1', BUILDKITE_COMMAND: 'x', BUILDKITE_ARTIFACT_PATHS: '*.log' };
  expect(portableVariables({ ...kept, ...machine, ...anew, ODD: 1 })).toEqual({
    variables: kept,
    omitted: Object.keys(machine),
  });
});

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

test.each(['{', '{"a":1}', '[1]', '[["a"]]', '1'])('rejects %s', (text) => {
  expect(() => usedPlugins(text)).toThrow('is not a list of plugins');
});
