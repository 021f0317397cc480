/** In a separate file, because the help only needs the names and not the readers themselves. */
export const readerNames = ['docker', 'node', 'python'] as const;

export type ReaderName = (typeof readerNames)[number];
