/** Names of the dotenv readers; a file of its own, since the help needs only the names. */
export const readerNames = ['docker', 'node', 'python'] as const;

export type ReaderName = (typeof readerNames)[number];
