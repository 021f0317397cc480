/** The flags of commands that start something and may then watch it. */
export const watchFlags = {
  watch: { summary: 'watch the build, and exit with the code of builds watch' },
  timeout: {
    value: 'DURATION',
    type: 'duration',
    summary: 'with --watch: maximum time to wait',
  },
} as const;

export interface WatchInput {
  readonly watch: boolean;
  /** Milliseconds */
  readonly timeout: number | undefined;
}
