import { words } from './resource.ts';

/** spec.md, "States and transitions", in the order in which the spec lists the `state` filter. */
export const buildStates = words(
  `running scheduled passed failing failed blocked canceled canceling skipped not_run`,
);

/** Job states known from spec.md, "Job"; a service may have others. */
export const jobStates =
  words(`pending waiting waiting_failed blocked blocked_failed unblocked unblocked_failed limiting
  limited scheduled reserved assigned accepted running passed failed timing_out timed_out
  canceling canceled skipped broken expired`);

/** The STATE column shows `blocked` for a blocked build, whose `state` keeps its last value. */
export const statusOf = ({ state, blocked }: Readonly<Record<string, unknown>>): unknown =>
  blocked === true ? 'blocked' : state;
