import { CictlError } from '../errors.ts';
import { checkAddress } from './addresses.ts';
import { timeoutOf } from './setting-parsers.ts';
import type { Env } from '../env.ts';
import { checkFormat } from '../parse/output-format.ts';

const checks: Readonly<Record<string, (value: string, name: string) => unknown>> = {
  CICTL_OUTPUT: checkFormat,
  CICTL_BASE_URL: checkAddress,
  CICTL_AGENT_URL: checkAddress,
  CICTL_GRAPHQL_URL: checkAddress,
  CICTL_REQUEST_TIMEOUT: (value) => timeoutOf({}, { CICTL_REQUEST_TIMEOUT: value }),
};

/** The environment without the settings that make no sense, and what is wrong with them. */
export function checkEnv(env: Env): { env: Env; errors: readonly CictlError[] } {
  const wrong = Object.keys(checks).flatMap((name) => {
    const error = errorOf(name, env[name]);
    return error === undefined ? [] : [{ name, error }];
  });
  const unset = Object.fromEntries(wrong.map(({ name }) => [name, undefined]));
  return { env: { ...env, ...unset }, errors: wrong.map(({ error }) => error) };
}

/** A variable that is empty counts as not set. */
function errorOf(name: string, value: string | undefined): CictlError | undefined {
  if (!value) return undefined;
  try {
    checks[name]?.(value, name);
    return undefined;
  } catch (error) {
    if (error instanceof CictlError) return error;
    throw error;
  }
}
