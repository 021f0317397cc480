/** What `Content-Range` says of a part: its bytes and the size of the whole; of none, the size alone. */
export interface ContentRange {
  /** Undefined where there is no such part. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Undefined where it is not said. */
  readonly size: number | undefined;
}

/** Undefined without the header, and where it is malformed. Units have no case (RFC 9110). */
export function contentRange(headers: Readonly<Record<string, string>>): ContentRange | undefined {
  const match = syntax.exec(headers['content-range'] ?? '');
  if (match === null) return undefined;
  const [, first, last, size] = match;
  return { first: numberOf(first), last: numberOf(last), size: numberOf(size) };
}

const syntax = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i;

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text === '*' ? undefined : Number(text);
