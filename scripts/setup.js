/**
 * The setup shared by `npm start`, `npm test` and the pipeline. Works before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Installs and builds what is missing or out of date; exits if that fails. */
export function setUp() {
  install();
  node(['scripts/build.js', '--if-stale']);
}

/** Installs the packages in `package-lock.json` unless they are installed. */
export function install() {
  process.chdir(root);
  if (isInstalled()) return;
  say('Installing packages …');
  npm(['ci', '--include=dev', '--prefer-offline', '--loglevel=error']);
}

/** Runs Node in the foreground; exits with its exit code if that is not 0. */
export const node = (args, env = process.env) => run(process.execPath, args, env);

/** Runs the npm that started this script, otherwise the one on the PATH. */
export function npm(args) {
  const own = process.env.npm_execpath;
  if (own?.endsWith('.js')) node([own, ...args]);
  else run('npm', args);
}

export const say = (line) => process.stderr.write(`${line}\n`);

/** Runs a command in the same way as `node` above. */
export function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  if (error) say(`cannot start ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Whether `node_modules` matches `package-lock.json`. Compares contents, because a git checkout
 * changes times. Packages for other platforms may be missing.
 */
function isInstalled() {
  const note = 'node_modules/.package-lock.json';
  if (!existsSync(note)) return false;
  const installed = packages(note);
  return Object.entries(packages('package-lock.json'))
    .filter(([path]) => path !== '')
    .every(
      ([path, wanted]) =>
        (installed[path]?.version ?? wanted.version) === wanted.version &&
        (installed[path] !== undefined || wanted.optional === true),
    );
}

const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
