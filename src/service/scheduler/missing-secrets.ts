/** The secrets that steps ask for. */
import type { Step } from '../pipeline/plan.ts';
import type { RunOptions } from '../run-options.ts';

/** A line for each secret that a step asks for and nobody gave. */
export function missingSecrets(
  steps: readonly Step[],
  { secrets }: Pick<RunOptions, 'secrets'>,
): string[] {
  const missing = new Map<string, number>();
  for (const step of steps) {
    if (step.type !== 'command' || step.omitted !== null) continue;
    for (const { key } of step.secrets)
      if (!Object.hasOwn(secrets, key) && !missing.has(key)) missing.set(key, step.line);
  }
  return [...missing].map(
    ([key, line]) =>
      `The step in line ${line} asks for the secret ${key}, which was not given (--secret ${key}, or --secret-file FILE)`,
  );
}
