/** A user who has never run the tool: empty HOME, no files of theirs, a clean environment. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Home {
  /** The folder above all others. */
  readonly root: string;
  readonly configDir: string;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** An empty folder outside any git checkout, to run commands in. */
  readonly cwd: string;
  /** The whole environment of a command. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes everything; call it in `afterAll` for a home that several tests share. */
  remove(): Promise<void>;
}

/** A home that is removed when the test at hand has finished. */
export async function useHome(): Promise<Home> {
  const home = await createHome();
  onTestFinished(() => home.remove());
  return home;
}

/** A home for which nothing was ever compiled, and which has no cache at all. */
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
 * What the launcher keeps compiled is the same for every user: without it a quarter of what the tests
 * take is spent on compiling the same files for each of them.
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
  // Scripts begin with `env node`: it has to be the Node under test.
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  CICTL_CONFIG_DIR: dirs.configDir,
  CICTL_DATA_DIR: dirs.dataDir,
  CICTL_CACHE_DIR: dirs.cacheDir,
});
