import type { Env } from '../../env.ts';

/**
 * What jobs get by `--inherit-env`: all of this process but its own settings and those of a job
 * around it, whose tokens and paths are not for the jobs of another build.
 */
export function inheritedVariables(env: Env): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !/^(?:CICTL|BUILDKITE)_/.test(name)) taken[name] = value;
  return taken;
}
