/** A job that ran to its end is FINISHED, whether it passed or failed: `passed` tells that. */
export const jobStateSchema = /* GraphQL */ `
  enum JobStates {
    ACCEPTED
    ASSIGNED
    BLOCKED
    BLOCKED_FAILED
    BROKEN
    CANCELED
    CANCELING
    EXPIRED
    FINISHED
    LIMITED
    LIMITING
    PENDING
    PLATFORM_LIMITED
    PLATFORM_LIMITING
    RESERVED
    RUNNING
    SCHEDULED
    SKIPPED
    TIMED_OUT
    TIMING_OUT
    UNBLOCKED
    UNBLOCKED_FAILED
    WAITING
    WAITING_FAILED
  }
`;
