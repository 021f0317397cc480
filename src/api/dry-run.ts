/** A request that `--dry-run` shows instead of sending. It holds no credential. */
export interface PlannedRequest {
  readonly method: string;
  readonly url: string;
  /** The JSON text that would go out. */
  readonly body: string | undefined;
}

/** Ends a call that `--dry-run` has shown: not a failure, nothing was sent. */
export class DryRun extends Error {
  override readonly name = 'DryRun';
}
