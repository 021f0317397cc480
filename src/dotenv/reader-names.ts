/** In a separate file, because the help only needs the names and not the code for each tool. */
export const readerNames = ['docker', 'node', 'python'] as const;

export type ReaderName = (typeof readerNames)[number];
