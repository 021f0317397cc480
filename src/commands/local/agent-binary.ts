import { constants } from 'node:fs';
import { platform } from 'node:os';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';

/**
 * Absolute path of the `buildkite-agent` to start: the named file, else the first on PATH. Code 2
 * where the named one is no program, 10 where there is none.
 */
export async function findAgentBinary(
  named: string | undefined,
  { env, cwd }: Pick<Context, 'env' | 'cwd'>,
): Promise<string> {
  if (named !== undefined) {
    const path = resolve(cwd, named);
    if (await isProgram(path)) return path;
    throw usageError(`--agent-binary ${JSON.stringify(named)} is no program: get it at ${source}`);
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = resolve(cwd, join(folder, program));
    if (folder !== '' && (await isProgram(path))) return path;
  }
  throw new CictlError(
    'machine',
    `buildkite-agent is not on PATH: get it at ${source}, or name it with --agent-binary FILE`,
  );
}

const source = 'https://github.com/buildkite/agent/releases';

const program = platform() === 'win32' ? 'buildkite-agent.exe' : 'buildkite-agent';

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK)
    .then(() => stat(path))
    .then(
      (found) => found.isFile(),
      () => false,
    );
