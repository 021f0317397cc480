export const timestampKinds = ['utc', 'local', 'elapsed'] as const;

export type TimestampKind = (typeof timestampKinds)[number];
