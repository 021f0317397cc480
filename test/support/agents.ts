/**
 * Finds real agents for tests: the binaries in the directory `CICTL_TEST_AGENTS`
 * (`v*\/buildkite-agent`, or one in the directory itself), otherwise `buildkite-agent` on the PATH.
 * Tests are skipped if there is none.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface AgentProgram {
  /** `v3.90.0` */
  readonly version: string;
  readonly major: number;
  readonly path: string;
}

/** One per version, oldest first. */
export function findAgents(env: Readonly<Record<string, string | undefined>>): AgentProgram[] {
  const { CICTL_TEST_AGENTS: folder = '', PATH = '' } = env;
  const paths = folder === '' ? onPath(PATH) : within(folder);
  const programs = paths.map((path) => ({ path, ...versionOf(path) }));
  return programs.sort((one, other) => one.version.localeCompare(other.version));
}

function within(folder: string): string[] {
  const below = readdirSync(folder).filter((name) => name.startsWith('v'));
  const paths = ['', ...below].map((name) => join(folder, name, 'buildkite-agent'));
  const found = paths.filter((path) => existsSync(path));
  // If the directory was set explicitly but contains no agent, fail instead of testing nothing.
  if (found.length === 0) throw new Error(`no buildkite-agent in CICTL_TEST_AGENTS=${folder}`);
  return found;
}

const onPath = (path: string): string[] =>
  path
    .split(delimiter)
    .map((folder) => join(folder, 'buildkite-agent'))
    .filter((file) => existsSync(file) && !isScript(file))
    .slice(0, 1);

/** Inside our own jobs, `buildkite-agent` is a script of the service, not an agent. */
function isScript(path: string): boolean {
  const start = Buffer.alloc(2);
  const file = openSync(path, 'r');
  readSync(file, start);
  closeSync(file);
  return start.toString() === '#!';
}

function versionOf(path: string): { version: string; major: number } {
  const text = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
  const version = /\d+\.\d+\.\d+[-.\w]*/.exec(text)?.[0] ?? '0.0.0';
  return { version: `v${version}`, major: Number.parseInt(version, 10) };
}
