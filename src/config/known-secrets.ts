import type { Profiles } from './profile-file.ts';
import type { Env } from '../common/env.ts';

const tokens = [
  'CICTL_TOKEN',
  'CICTL_AGENT_TOKEN',
  'BUILDKITE_API_TOKEN',
  'BUILDKITE_AGENT_TOKEN',
  'BUILDKITE_AGENT_ACCESS_TOKEN',
] as const;

const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

export function environmentSecrets(env: Env): (string | undefined)[] {
  const addresses = proxies.flatMap((name) => [env[name], env[name.toLowerCase()]]);
  return [...tokens.map((name) => env[name]), ...addresses.flatMap(passwordOf)];
}

function passwordOf(address: string | undefined): string[] {
  const [, password] = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^\s/:@]*:([^\s/]*)@/i.exec(address ?? '') ?? [];
  if (password === undefined) return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

export const profileSecrets = ({ profiles }: Profiles): (string | undefined)[] =>
  [...profiles.values()].flatMap(({ token, agentToken }) => [token, agentToken]);
