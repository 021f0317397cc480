/** Settings as commands see them. `resolve-settings.ts` says where each comes from. */
import type { CictlError } from '../errors.ts';
import type { OtherProfile } from './sources.ts';
import type { OutputFormat } from '../parse/output-format.ts';
import type { PagerSetting } from './setting-parsers.ts';

export { resolveSettings } from './resolve-settings.ts';
export { requireAgentToken, requireToken } from './addresses.ts';

/** The CI job around this process. */
export interface SurroundingJob {
  readonly org?: string;
  readonly pipeline?: string;
  readonly build: string;
  readonly id?: string;
}

export interface Settings {
  /** Name of the profile in use, undefined where there is none. */
  readonly profile: string | undefined;
  /** The name that `--profile` or `CICTL_PROFILE` gives, whether there is such a profile or not. */
  readonly namedProfile?: string;
  /** The profiles that are not in use, with their addresses. */
  readonly otherProfiles: readonly OtherProfile[];
  /** Addresses without a slash at the end. */
  readonly baseUrl: string;
  readonly agentUrl: string;
  readonly graphqlUrl: string;
  /** Access token that may go to `baseUrl` and `graphqlUrl`; ask `requireToken` for it. */
  readonly token?: string;
  /** Agent registration token that may go to `agentUrl`. */
  readonly agentToken?: string;
  readonly org?: string;
  readonly pipeline?: string;
  /** `CICTL_BUILD`, as typed: any form of a BUILD. */
  readonly build?: string;
  /** `BUILDKITE_BRANCH` inside a job. */
  readonly branch?: string;
  /** `BUILDKITE_JOB_ID` inside a job. */
  readonly jobId?: string;
  readonly surroundingJob?: SurroundingJob;
  readonly insideJob: boolean;
  /** Undefined: as the stream asks. `--jq` has made it `json` or `jsonl` already. */
  readonly output?: OutputFormat;
  readonly fields?: readonly string[];
  readonly jq?: string;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly maxWait: number;
  readonly cache: boolean;
  /** What the flags say of colour; undefined: environment and stream decide. */
  readonly color: boolean | undefined;
  readonly quiet: boolean;
  readonly debug: boolean;
  /** Whether it may ask at all. */
  readonly input: boolean;
  /** Undefined for none. */
  readonly pager: PagerSetting | undefined;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Key to the place that won: `flag --org`, `CICTL_ORG`, `profile local`, `default`. */
  readonly sources: Readonly<Record<string, string>>;
  /** Why there is no token; thrown only by commands that need it. */
  readonly refusals: { readonly token?: CictlError; readonly agentToken?: CictlError };
}

/** The global flags as parsed; durations in milliseconds. */
export interface GlobalFlags {
  readonly profile?: string | undefined;
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
  readonly fields?: string | undefined;
  readonly jq?: string | undefined;
  readonly org?: string | undefined;
  readonly pipeline?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly agentUrl?: string | undefined;
  readonly graphqlUrl?: string | undefined;
  readonly requestTimeout?: number | undefined;
  readonly maxWait?: number | undefined;
  readonly noCache?: boolean | undefined;
  readonly color?: boolean | undefined;
  readonly noColor?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly debug?: boolean | undefined;
  readonly noInput?: boolean | undefined;
  readonly noPager?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}
