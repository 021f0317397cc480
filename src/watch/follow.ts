import type { Build } from '../api/resources/build.ts';
import { isSettled } from './outcome.ts';
import { poll, type PollOptions } from './poll.ts';
import { changes, type Event } from './tracker.ts';

export interface FollowOptions extends Omit<PollOptions<Build>, 'isNews'> {
  /** What was seen last, by a follower before this one. */
  readonly before?: Build | undefined;
  /** Whether that is the look to end with; default: the build has settled. */
  readonly isDone?: ((build: Build) => boolean) | undefined;
  /** Told each event; the next look comes when it is done. */
  readonly tell: (event: Event) => Promise<void>;
}

/** Looks at a build and tells what changes, until it settles; resolves to the last look. */
export async function follow(look: () => Promise<Build>, options: FollowOptions): Promise<Build> {
  const { isDone = isSettled } = options;
  let { before } = options;
  const isNews = (one: Build, other: Build): boolean => changes(one, other).length > 0;
  for await (const now of poll(look, { ...options, isNews })) {
    const events = changes(before, now);
    before = now;
    for (const event of events) await options.tell(event);
    if (isDone(now)) return now;
  }
  throw new Error('a poll has no end of its own');
}
