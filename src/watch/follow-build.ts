import type { Build } from '../api/resources/build.ts';
import { isSettled } from './outcome.ts';
import { poll, type PollOptions } from './poll.ts';
import { changes, type Event } from './changes.ts';

export interface FollowOptions extends Omit<PollOptions<Build>, 'hasChanged'> {
  /** The last state that an earlier call has seen */
  readonly before?: Build | undefined;
  /** Whether to stop at this state. Defaults to settled builds. */
  readonly isDone?: ((build: Build) => boolean) | undefined;
  /** Awaited before the next request */
  readonly onEvent: (event: Event) => Promise<void>;
}

/** Polls a build and reports changes until it settles. Returns its last state. */
export async function followBuild(
  fetch: () => Promise<Build>,
  options: FollowOptions,
): Promise<Build> {
  const { isDone = isSettled } = options;
  let { before } = options;
  const changesFrom = remembering(changes);
  const hasChanged = (one: Build, other: Build): boolean => changesFrom(one, other).length > 0;
  for await (const now of poll(fetch, { ...options, hasChanged })) {
    const events = changesFrom(before, now);
    before = now;
    for (const event of events) await options.onEvent(event);
    if (isDone(now)) return now;
  }
  throw new Error('a poll has no end of its own');
}

/** Remembers the last comparison, which is needed for the pause and for the events. */
function remembering(compare: typeof changes): typeof changes {
  let last: { before: Build | undefined; now: Build; events: Event[] } | undefined;
  return (before, now) => {
    if (last?.now !== now || last.before !== before)
      last = { before, now, events: compare(before, now) };
    return last.events;
  };
}
