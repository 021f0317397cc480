/** The built tool against a server that expects exact requests, as a user of `acme/web`. */
import { cictl, type CliOptions, type CliResult } from './cli.ts';
import { serve, type Exchange, type ServeOptions } from './server.ts';

/** Below which everything of organization `acme` is. */
export const acme = '/v2/organizations/acme';

/** Runs a command; requests that differ from the exchanges, or are missing, fail the test. */
export async function against(
  exchanges: readonly Exchange[] | ((url: string) => readonly Exchange[]),
  args: readonly string[],
  options: CliOptions & ServeOptions = {},
): Promise<CliResult> {
  const server = await serve(exchanges, options);
  const result = await cictl(args, { ...options, env: { ...leadTo(server.url), ...options.env } });
  await server.finish();
  return result;
}

/** The variables that lead a user to the server. */
export const leadTo = (url: string) => ({
  CICTL_BASE_URL: url,
  CICTL_TOKEN: 'access-token',
  CICTL_AGENT_TOKEN: 'agent-token',
  CICTL_ORG: 'acme',
  CICTL_PIPELINE: 'web',
});
