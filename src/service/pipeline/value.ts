/** A parsed pipeline file with source positions, independent of the YAML library. */

export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

interface At {
  readonly at: SourcePosition;
  /** Whether the node or anything inside it has an anchor. */
  readonly anchored: boolean;
}

/** `text` is the source text: `1.10` stays `1.10`, an empty value is `''`. */
export interface Scalar extends At {
  readonly kind: 'scalar';
  readonly text: string;
  /** An empty value, `null` or `~`. */
  readonly isNull: boolean;
  /** Whether the value is unquoted. Then `1` is a number and `true` is a boolean. */
  readonly isPlain?: boolean;
}

export interface List extends At {
  readonly kind: 'list';
  readonly items: readonly Value[];
}

export interface Entry {
  readonly key: string;
  readonly at: SourcePosition;
  readonly value: Value;
}

export interface Mapping extends At {
  readonly kind: 'mapping';
  /** Entries in file order. */
  readonly entries: ReadonlyMap<string, Entry>;
}

export type Value = Scalar | List | Mapping;

export type Report = (at: SourcePosition, text: string) => undefined;
