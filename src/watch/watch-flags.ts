/** The flags of commands that start something and may then watch it. */
export const watchFlags = {
  watch: { summary: 'then watch until it settles, and exit as builds watch does' },
  timeout: {
    value: 'DURATION',
    type: 'duration',
    summary: 'with --watch: longest time for the whole wait',
  },
} as const;

export interface WatchInput {
  readonly watch: boolean;
  /** Milliseconds */
  readonly timeout: number | undefined;
}
