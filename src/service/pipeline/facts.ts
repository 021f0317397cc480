/** What the standard variables of a job are made from. */
import type { PluginUse } from './plan.ts';

export interface Person {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** What is known of a build before its jobs are. */
export interface BuildFacts {
  /** Its slug. */
  readonly organization: string;
  readonly organizationId?: string;
  readonly pipeline: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly repository: string;
    readonly defaultBranch: string;
    /** `provider.id`: `local`, `github`, … */
    readonly provider: string;
  };
  readonly build: {
    readonly id: string;
    readonly number: number;
    /** Its `web_url`. */
    readonly url: string;
    readonly branch: string;
    readonly commit: string;
    readonly tag?: string | null | undefined;
    readonly message: string;
    readonly source: string;
    readonly creator?: Person | null;
    readonly author?: Person | null;
    readonly rebuiltFrom?: { readonly id: string; readonly number: number } | null;
    /** The build whose trigger step made it. */
    readonly triggeredFrom?: {
      readonly buildId: string;
      readonly number: number;
      readonly pipelineSlug: string;
    } | null;
    readonly pullRequest?: {
      readonly id?: string | number | null | undefined;
      readonly base?: string | null | undefined;
      readonly repository?: string | null | undefined;
    } | null;
    readonly cleanCheckout?: boolean;
  };
}

/** What is known of one job. */
export interface JobFacts extends BuildFacts {
  readonly job: {
    readonly id: string;
    readonly stepId: string;
    readonly stepKey: string | null;
    readonly label: string | null;
    readonly command: string;
    readonly plugins?: readonly PluginUse[];
    /** It runs without a checkout. */
    readonly skipCheckout?: boolean;
    readonly timeoutInMinutes: number | null;
    readonly retriesCount: number;
    readonly retryType?: string | null;
    readonly artifactPaths?: string | null;
    readonly parallelGroupIndex?: number | null;
    readonly parallelGroupTotal?: number | null;
    readonly group?: { readonly key: string | null; readonly label: string | null } | null;
  };
  readonly agent: { readonly id: string; readonly name: string; readonly queue: string };
  /** Absolute folder in which the job runs. */
  readonly checkoutPath: string;
}
