import { expect, test } from 'vitest';
import { repositoryName } from './same-repository.ts';

test.each([
  'git@ci.example:acme/web.git',
  'git@ci.example:acme/web',
  'git@CI.example:/acme/web.git',
  'ci.example:acme/web.git',
  'https://ci.example/acme/web',
  'https://ci.example/acme/web.git/',
  'https://user:secret@ci.example:8443/acme/web.git',
  'ssh://git@ci.example:2222/acme/web.git',
  'git+ssh://git@ci.example/acme/web',
  'git://ci.example/acme/web.git',
])('%s is one repository', (address) => {
  expect(repositoryName(address)).toBe('ci.example/acme/web');
});

test.each([
  ['git@ci.example:acme/Web.git', 'ci.example/acme/Web'],
  ['/srv/git/web.git', '/srv/git/web'],
  ['file:///srv/git/web.git', '/srv/git/web'],
  ['../web', '/../web'],
  [String.raw`C:\git\web`, String.raw`/C:\git\web`],
  ['git@[::1]:acme/web', '[::1]/acme/web'],
  ['', '/'],
])('%s is %s', (address, name) => {
  expect(repositoryName(address)).toBe(name);
});
