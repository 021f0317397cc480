/**
 * Milliseconds after which a process or a wait counts as deadlocked: far more than the slowest one
 * takes on an overloaded machine. The limit of a test is longer (vitest.config.ts), so that the
 * failure names the process and not only the test.
 */
export const timeLimit = 500_000;
