/** The parts of `create-build.js` that tests call. */
interface Access {
  readonly url: string;
  readonly token: string;
  readonly adminToken: string;
}

interface CreatedJob {
  readonly id: string;
  readonly state: string;
  readonly exit_status: number | null;
  readonly signal_reason: string | null;
  readonly runnable_at: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly retried: boolean;
}

interface CreatedBuild {
  readonly id: string;
  readonly state: string;
  readonly finished_at: string | null;
  readonly jobs: readonly CreatedJob[];
}

export function createBuild(
  access: Access,
  folder: string,
  steps: readonly (string | object)[],
): Promise<{ read(): Promise<CreatedBuild>; log(id: string): Promise<string> }>;
