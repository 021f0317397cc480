/** Separate from the readers, because the help needs only their names. */
export const readerNames = ['docker', 'node', 'python'] as const;

export type ReaderName = (typeof readerNames)[number];
