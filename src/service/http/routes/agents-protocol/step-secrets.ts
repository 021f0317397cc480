/** The secrets of a step, for an agent that fetches their values itself. */
import type { RemoteAgent } from '../../../domain/remote-agent.ts';
import type { CommandStep } from '../../../pipeline/plan.ts';

/** As agents read them. Throws one line where the agent is too old to: its job would run without. */
export function stepSecrets(
  { version }: Pick<RemoteAgent, 'version'>,
  secrets: CommandStep['secrets'],
): object[] {
  if (secrets.length > 0 && !fetchesSecrets(version))
    throw new Error(
      `an agent of version ${version} gives steps no secrets (${secrets.map(({ key }) => key).join(', ')}): use a newer one, or buildkite-agent secret get in the command`,
    );
  return secrets.map(({ key, variable }) => ({ key, environment_variable: variable }));
}

/** From 3.106 on; a version that is no number is one that somebody has made. */
function fetchesSecrets(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined || Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 106);
}
