/** A user who has never run the tool: an empty HOME, no files and a clean environment. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Home {
  /** The parent of all other directories. */
  readonly root: string;
  readonly configDir: string;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** An empty directory outside of any git checkout, to run commands in. */
  readonly cwd: string;
  /** The complete environment of a command. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes everything. Call it in `afterAll` if several tests share the home. */
  remove(): Promise<void>;
}

/** A home that is removed when the current test has finished. */
export async function useHome(): Promise<Home> {
  const home = await createHome();
  onTestFinished(() => home.remove());
  return home;
}

/** A home without any cache, not even compiled code. */
export async function useHomeWithoutCache(): Promise<Home> {
  const home = await useHome();
  await rm(home.cacheDir, { recursive: true });
  return home;
}

export async function createHome(): Promise<Home> {
  const root = await mkdtemp(join(tmpdir(), 'cictl-test-'));
  const folder = (name: string): string => join(root, name);
  const [home, cwd] = [folder('home'), folder('work')];
  for (const path of [home, cwd]) await mkdir(path);
  const dirs = {
    configDir: folder('config'),
    dataDir: folder('data'),
    cacheDir: folder('cache'),
  };
  await shareCompiled(dirs.cacheDir);
  return {
    root,
    cwd,
    ...dirs,
    env: cleanEnv(home, dirs),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * Shares the launcher's compile cache, which is the same for every user. Without it, tests would
 * spend a quarter of their time compiling the same files.
 */
async function shareCompiled(cacheDir: string): Promise<void> {
  for (const path of [compiled, cacheDir]) await mkdir(path, { recursive: true });
  await symlink(compiled, join(cacheDir, 'compiled'));
}

const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled');

interface Dirs {
  readonly configDir: string;
  readonly dataDir: string;
  readonly cacheDir: string;
}

const cleanEnv = (home: string, dirs: Dirs): Record<string, string> => ({
  HOME: home,
  // Scripts start with `env node`, which must find the Node under test.
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  CICTL_CONFIG_DIR: dirs.configDir,
  CICTL_DATA_DIR: dirs.dataDir,
  CICTL_CACHE_DIR: dirs.cacheDir,
});
