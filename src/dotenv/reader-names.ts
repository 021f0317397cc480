/** Readers of dotenv files that are no shell; on its own, since the help needs the names alone. */
export const readerNames = ['docker', 'node', 'python'] as const;

export type ReaderName = (typeof readerNames)[number];
