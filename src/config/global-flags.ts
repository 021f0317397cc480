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
