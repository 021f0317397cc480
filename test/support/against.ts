/** Runs the built tool as a user of `acme/web` against a server that expects exact requests. */
import { cictl, type CliOptions, type CliResult } from './cli.ts';
import { serve, type Exchange, type ServeOptions } from './server.ts';

/** The common prefix of all paths of organization `acme`. */
export const acme = '/v2/organizations/acme';

/** Runs a command. The test fails if requests are missing or differ from the expected exchanges. */
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

/** The environment variables that select the server. */
export const leadTo = (url: string) => ({
  CICTL_BASE_URL: url,
  CICTL_TOKEN: 'access-token',
  CICTL_AGENT_TOKEN: 'agent-token',
  CICTL_ORG: 'acme',
  CICTL_PIPELINE: 'web',
});
