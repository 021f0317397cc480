/**
 * Variables that a job finds in its own environment and that are not known, or differ, where the
 * file is read: in a command they stay as written, and the shell of the job fills them in.
 */
import { isStandard } from './environment.ts';

const ofHost = new Set([
  'HOME',
  'PATH',
  'USER',
  'SHELL',
  'LANG',
  'TMPDIR',
  'TERM',
  'PWD',
  'OLDPWD',
]);

/** Set for each job, and shown nowhere. */
const hidden =
  /^BUILDKITE_(?:AGENT_ACCESS_TOKEN|AGENT_ENDPOINT|ENV_FILE|PLUGINS?|PLUGIN_\w+|LAST_HOOK_\w+|COMMAND_EXIT_STATUS)$/;

export const isFoundByJob = (name: string): boolean =>
  ofHost.has(name) || /^LC_\w+$/.test(name) || isStandard(name) || hidden.test(name);
