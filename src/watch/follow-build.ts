import type { Build } from '../api/resources/build.ts';
import { isSettled } from './outcome.ts';
import { poll, type PollOptions } from './poll.ts';
import { changes, type Event } from './changes.ts';

export interface FollowOptions extends Omit<PollOptions<Build>, 'hasChanged'> {
  /** The last state that an earlier follower has seen. */
  readonly before?: Build | undefined;
  /** Whether to stop at this state; default: when the build has settled. */
  readonly isDone?: ((build: Build) => boolean) | undefined;
  /** Called for each event; the next request is sent when it resolves. */
  readonly onEvent: (event: Event) => Promise<void>;
}

/** Polls a build and reports what changes, until it settles; resolves to its last state. */
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

/** The same two states are compared for the next pause and for what is reported. */
function remembering(compare: typeof changes): typeof changes {
  let last: { before: Build | undefined; now: Build; events: Event[] } | undefined;
  return (before, now) => {
    if (last?.now !== now || last.before !== before)
      last = { before, now, events: compare(before, now) };
    return last.events;
  };
}
