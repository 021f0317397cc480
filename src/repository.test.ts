import { expect, test } from 'vitest';
import { repositoryName, withoutCredentials } from './repository.ts';

test.each([
  'git@ci.example:acme/web.git',
  'git@ci.example:acme/web',
  'git@CI.example:/acme/web.git',
  'ci.example:acme/web.git',
  'https://ci.example/acme/web',
  'https://ci.example/acme/web.git/',
  'https://user:secret@ci.example:8443/acme/web.git',
  'https://user:p@ss@ci.example/acme/web.git',
  'https://ci.example/Acme/Web',
  'ssh://git@ci.example:2222/acme/web.git',
  'git+ssh://git@ci.example/acme/web',
  'git://ci.example/acme/web.git',
])('%s is one repository', (address) => {
  expect(repositoryName(address)).toBe('ci.example/acme/web');
});

test.each([
  ['/srv/git/Web.git', '/srv/git/Web'],
  ['file:///srv/git/web.git', '/srv/git/web'],
  ['../web', '/../web'],
  [String.raw`C:\git\web`, String.raw`/C:\git\web`],
  ['git@[::1]:acme/web', '[::1]/acme/web'],
  ['', '/'],
])('%s is %s', (address, name) => {
  expect(repositoryName(address)).toBe(name);
});

test.each([
  ['https://user:p@ss@ci.example/a@b.git', 'https://ci.example/a@b.git'],
  ['https://token@ci.example/web', 'https://ci.example/web'],
  ['ssh://git:secret@ci.example:22/web', 'ssh://git@ci.example:22/web'],
  ['ssh://git@ci.example/web', 'ssh://git@ci.example/web'],
  ['git@ci.example:acme/web.git', 'git@ci.example:acme/web.git'],
  ['/srv/git/a@b', '/srv/git/a@b'],
])('%s without credentials is %s', (url, expected) => {
  expect(withoutCredentials(url)).toBe(expected);
});
