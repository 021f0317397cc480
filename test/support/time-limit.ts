/**
 * Milliseconds after which a process or a wait counts as a deadlock: far beyond what the slowest of
 * them takes on a machine with many times the work it can do. A test has longer, see vitest.config.ts,
 * so that what is said of its end names the process and not the test alone.
 */
export const timeLimit = 500_000;
