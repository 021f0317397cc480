/** The flags of a command that starts something and may then wait for its end. */
export const watchFlags = {
  watch: { summary: 'then watch until it settles, and exit as builds watch does' },
  timeout: {
    value: 'DURATION',
    type: 'duration',
    summary: 'with --watch: longest time for the whole wait',
  },
} as const;

/** What the handler of such a command gets. */
export interface WatchInput {
  readonly watch: boolean;
  /** Milliseconds. */
  readonly timeout: number | undefined;
}
