import { userInfo } from 'node:os';
import { posix } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cacheDir, configDir, dataDir } from './folders.ts';

const home = { HOME: '/home/ada' };

test.each<[NodeJS.Platform, Record<string, string>, string, string, string]>([
  [
    'linux',
    home,
    '/home/ada/.config/cictl',
    '/home/ada/.local/share/cictl',
    '/home/ada/.cache/cictl',
  ],
  [
    'linux',
    { ...home, XDG_CONFIG_HOME: '/x', XDG_DATA_HOME: '/y', XDG_CACHE_HOME: '/z' },
    '/x/cictl',
    '/y/cictl',
    '/z/cictl',
  ],
  [
    'linux',
    { ...home, XDG_CONFIG_HOME: 'relative', XDG_DATA_HOME: '', XDG_CACHE_HOME: '' },
    '/home/ada/.config/cictl',
    '/home/ada/.local/share/cictl',
    '/home/ada/.cache/cictl',
  ],
  [
    'darwin',
    home,
    '/home/ada/Library/Preferences/cictl',
    '/home/ada/Library/Application Support/cictl',
    '/home/ada/Library/Caches/cictl',
  ],
  [
    'win32',
    { APPDATA: 'C:\\Roaming', LOCALAPPDATA: 'C:\\Local' },
    'C:\\Roaming\\cictl\\Config',
    'C:\\Local\\cictl\\Data',
    'C:\\Local\\cictl\\Cache',
  ],
])('on %s with %j', (platform, env, config, data, cache) => {
  expect(configDir(env, platform)).toBe(config);
  expect(dataDir(env, platform)).toBe(data);
  expect(cacheDir(env, platform)).toBe(cache);
});

test('CICTL_*_DIR takes precedence unless it is empty', () => {
  const env = { ...home, CICTL_CONFIG_DIR: '/a', CICTL_DATA_DIR: '/b', CICTL_CACHE_DIR: '' };
  expect([configDir(env, 'linux'), dataDir(env, 'linux'), cacheDir(env, 'linux')]).toEqual([
    '/a',
    '/b',
    '/home/ada/.cache/cictl',
  ]);
});

test.each(['', 'relative', './x'])(
  'with HOME %j, stores nothing in the working directory',
  (HOME) => {
    // The platform returns this value unchanged as the home directory.
    vi.stubEnv('HOME', HOME);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(cacheDir({ HOME }, 'linux')).toBe(posix.join(userInfo().homedir, '.cache/cictl'));
  },
);
