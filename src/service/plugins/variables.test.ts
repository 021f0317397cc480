import { expect, test } from 'vitest';
import { pluginVariables } from './variables.ts';

test('each value of a configuration is a variable, named as agents name it', () => {
  const config = {
    image: 'node:22',
    'always-pull': true,
    retries: 3,
    ratio: 1.5,
    empty: '',
    nothing: null,
    'sp ace': 'q',
    'with.dot': 'z',
    UPPER: 'U',
    environment: ['A=1', 'B', null, ['deep'], { 'k-k': [false] }],
    map: { 'in-ner': { x: 1 } },
    none: [],
  };
  expect(pluginVariables('docker-compose', config)).toEqual({
    BUILDKITE_PLUGIN_NAME: 'DOCKER_COMPOSE',
    BUILDKITE_PLUGIN_CONFIGURATION: JSON.stringify(config),
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_IMAGE: 'node:22',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ALWAYS_PULL: 'true',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_RETRIES: '3',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_RATIO: '1.5',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_EMPTY: '',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_SP_ACE: 'q',
    'BUILDKITE_PLUGIN_DOCKER_COMPOSE_WITH.DOT': 'z',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_UPPER: 'U',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_0: 'A=1',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_1: 'B',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_3_0: 'deep',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_ENVIRONMENT_4_K_K_0: 'false',
    BUILDKITE_PLUGIN_DOCKER_COMPOSE_MAP_IN_NER_X: '1',
  });
});

test('consecutive underscores stand in one name, and as one in another for older agents', () => {
  const config = { 'dbl--dash': 'a', dbl__u: 'b', dbl_u: 'c', '-lead': 'd' };
  expect(pluginVariables('x', config)).toMatchObject({
    BUILDKITE_PLUGIN_X_DBL__DASH: 'a',
    BUILDKITE_PLUGIN_X_DBL_DASH: 'a',
    BUILDKITE_PLUGIN_X_DBL__U: 'b',
    BUILDKITE_PLUGIN_X_DBL_U: 'c',
    BUILDKITE_PLUGIN_X__LEAD: 'd',
    BUILDKITE_PLUGIN_X_LEAD: 'd',
  });
});

test('no configuration is an empty one', () => {
  expect(pluginVariables('x', null)).toEqual({
    BUILDKITE_PLUGIN_NAME: 'X',
    BUILDKITE_PLUGIN_CONFIGURATION: '{}',
  });
});
