import { isStandard } from '../../service/pipeline/environment.ts';

export interface Portable {
  readonly variables: Readonly<Record<string, string>>;
  /** Names of those that are left out and that nothing here takes the place of. */
  readonly omitted: readonly string[];
}

/**
 * The variables of a job that mean the same on another machine. Those that every job gets anew go
 * without a word; paths, tokens and what an agent says of itself are listed.
 */
export function portableVariables(env: Readonly<Record<string, unknown>>): Portable {
  const variables: Record<string, string> = {};
  const omitted: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (typeof value !== 'string' || (isStandard(name) && !isOfAgent(name))) continue;
    if (isOfAgent(name) || ofMachine.has(name)) omitted.push(name);
    else variables[name] = value;
  }
  return { variables, omitted };
}

const ofMachine = new Set(
  'HOME PATH PWD OLDPWD USER LOGNAME SHELL SHLVL TMPDIR TMP TEMP TERM HOSTNAME SSH_AUTH_SOCK _'.split(
    ' ',
  ),
);

const isOfAgent = (name: string): boolean =>
  /^CICTL_|^BUILDKITE_(?:AGENT|GIT|HOOKS|SHELL|ENV_FILE|CONFIG)(?:_|$)|^BUILDKITE_\w*(?:TOKEN|PATH|SOCKET|_DIR)S?$/.test(
    name,
  ) && name !== 'BUILDKITE_ARTIFACT_PATHS';
