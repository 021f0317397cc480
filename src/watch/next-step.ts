import { buildName, jobName } from '../api/refs.ts';
import { isSettled } from './outcome.ts';
import type { WatchResult } from './watch-build.ts';

/** The next command to try, as a line for standard error; nothing where the build passed. */
export function nextStep({ ref, build, exitCode }: WatchResult): string | undefined {
  const name = buildName(ref);
  if (exitCode === 1 && !isSettled(build)) return `build ${name} is going to fail; it runs on`;
  if (exitCode === 1) return `build ${name} failed: cictl builds failures ${name}`;
  if (exitCode !== 4) return undefined;
  const waiting = (build.jobs ?? []).find(
    ({ type, state }) => type === 'manual' && state === 'blocked',
  );
  const hint = waiting?.id ? `: cictl job unblock ${jobName({ ...ref, job: waiting.id })}` : '';
  return `build ${name} waits for a person${hint}`;
}
