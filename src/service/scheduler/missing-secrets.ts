/** The secrets that steps ask for. */
import type { Step } from '../pipeline/plan.ts';
import { keyOf } from './known-secrets.ts';

/** A line for each secret that a step asks for and that is not among the known ones. */
export function missingSecrets(
  steps: readonly Step[],
  secrets: Readonly<Record<string, string>>,
): string[] {
  const missing = new Map<string, number>();
  for (const step of steps) {
    if (step.type !== 'command' || step.omitted !== null) continue;
    for (const { key } of step.secrets)
      if (keyOf(secrets, key) === undefined && !missing.has(key)) missing.set(key, step.line);
  }
  return [...missing].map(
    ([key, line]) =>
      `The step in line ${line} asks for the secret ${key}, which was not given (--secret ${key}, --secret-file FILE, or cictl local secret set ${key})`,
  );
}
