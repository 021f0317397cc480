/** The set-up that `npm start`, `npm test` and the pipeline share. It needs nothing installed. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Installs and builds what is missing or out of date; ends the process where that fails. */
export function setUp() {
  install();
  node(['scripts/build.js', '--if-stale']);
}

/** Installs what `package-lock.json` asks for, unless it is there. */
export function install() {
  process.chdir(root);
  if (isInstalled()) return;
  say('Installing packages …');
  npm(['ci', '--include=dev', '--prefer-offline', '--loglevel=error']);
}

/** Runs Node on arguments, in the foreground; ends the process with its code when that is not 0. */
export const node = (args, env = process.env) => run(process.execPath, args, env);

/** Runs the npm that started this script, else the one on PATH. */
export function npm(args) {
  const own = process.env.npm_execpath;
  if (own?.endsWith('.js')) node([own, ...args]);
  else run('npm', args);
}

export const say = (line) => process.stderr.write(`${line}\n`);

/** Runs a command like `node` above. */
export function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  if (error) say(`cannot start ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Whether `node_modules` holds what `package-lock.json` asks for. Contents are compared, not
 * times, which a git checkout changes; packages for other platforms are rightly missing.
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
