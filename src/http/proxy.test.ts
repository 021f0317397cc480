import { expect, test } from 'vitest';
import { proxyFor } from './proxy.ts';

const p = 'http://proxy.test:3128';

test.each<[string, Record<string, string>, string | undefined]>([
  ['https://ci.test/', {}, undefined],
  ['https://ci.test/', { HTTPS_PROXY: p }, p],
  ['https://ci.test/', { https_proxy: p, HTTPS_PROXY: 'http://other.test' }, p],
  ['https://ci.test/', { HTTP_PROXY: p }, undefined],
  ['https://ci.test/', { HTTPS_PROXY: '' }, undefined],
  ['http://ci.test/', { HTTP_PROXY: p }, p],
  ['http://ci.test/', { HTTPS_PROXY: p }, undefined],
  ['http://ci.test/', { HTTP_PROXY: 'proxy.test:3128' }, p],
  ['http://ci.test/', { HTTP_PROXY: p, NO_PROXY: '*' }, undefined],
  ['http://ci.test/', { HTTP_PROXY: p, NO_PROXY: 'ci.test' }, undefined],
  ['http://ci.test/', { HTTP_PROXY: p, NO_PROXY: 'CI.test' }, undefined],
  ['http://a.ci.test/', { HTTP_PROXY: p, NO_PROXY: 'other.test, ci.test' }, undefined],
  ['http://a.ci.test/', { HTTP_PROXY: p, NO_PROXY: '.ci.test' }, undefined],
  ['http://a.ci.test/', { HTTP_PROXY: p, NO_PROXY: '*.ci.test' }, undefined],
  ['http://nici.test/', { HTTP_PROXY: p, NO_PROXY: 'ci.test' }, p],
  ['http://ci.test:8080/', { HTTP_PROXY: p, NO_PROXY: 'ci.test:8080' }, undefined],
  ['http://ci.test:8081/', { HTTP_PROXY: p, NO_PROXY: 'ci.test:8080' }, p],
  ['http://ci.test/', { HTTP_PROXY: p, NO_PROXY: 'ci.test:80' }, undefined],
  ['https://ci.test/', { HTTPS_PROXY: p, NO_PROXY: 'ci.test:80' }, p],
  ['http://127.0.0.1:9/', { HTTP_PROXY: p, no_proxy: '127.0.0.1' }, undefined],
  ['http://[::1]:9/', { HTTP_PROXY: p, NO_PROXY: '::1' }, undefined],
  ['http://[::1]:9/', { HTTP_PROXY: p, NO_PROXY: '[::1]:9' }, undefined],
  ['http://[::1]:9/', { HTTP_PROXY: p, NO_PROXY: '[::1]:8' }, p],
])('%s with %j', (url, env, expected) => {
  expect(proxyFor(new URL(url), env)).toBe(expected);
});
