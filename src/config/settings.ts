import type { CictlError } from '../errors.ts';
import type { OtherProfile } from './sources.ts';
import type { OutputFormat } from '../parse/output-format.ts';
import type { PagerSetting } from './setting-parsers.ts';

export { resolveSettings } from './resolve-settings.ts';
export { requireAgentToken, requireToken } from './addresses.ts';

export interface SurroundingJob {
  readonly org?: string;
  readonly pipeline?: string;
  readonly build: string;
  readonly id?: string;
}

export interface Settings {
  readonly profile: string | undefined;
  /** The name in `--profile` or `CICTL_PROFILE`, even if there is no such profile */
  readonly namedProfile?: string;
  readonly otherProfiles: readonly OtherProfile[];
  /** URLs without a trailing slash */
  readonly baseUrl: string;
  readonly agentUrl: string;
  readonly graphqlUrl: string;
  /** Access token for `baseUrl` and `graphqlUrl`. To read it, use `requireToken` */
  readonly token?: string;
  readonly agentToken?: string;
  readonly org?: string;
  readonly pipeline?: string;
  readonly build?: string;
  readonly branch?: string;
  readonly jobId?: string;
  readonly surroundingJob?: SurroundingJob;
  readonly insideJob: boolean;
  /** Undefined if the format depends on the output stream. `json` or `jsonl` with `--jq` */
  readonly output?: OutputFormat;
  readonly fields?: readonly string[];
  readonly jq?: string;
  /** Milliseconds */
  readonly requestTimeout: number;
  /** Milliseconds */
  readonly maxWait: number;
  readonly cache: boolean;
  /** From the flags; undefined if the environment and the stream decide */
  readonly color: boolean | undefined;
  readonly quiet: boolean;
  readonly debug: boolean;
  readonly input: boolean;
  readonly pager: PagerSetting | undefined;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Maps each setting to its source: `flag --org`, `CICTL_ORG`, `profile local`, `default`. */
  readonly sources: Readonly<Record<string, string>>;
  /** Why there is no token; thrown only by commands that need one */
  readonly refusals: { readonly token?: CictlError; readonly agentToken?: CictlError };
}

/** Global flags as parsed. Durations are in milliseconds. */
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
