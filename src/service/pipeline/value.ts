/** What a pipeline file says, with the place of each part, apart from the YAML library. */

/** 1-based place in the file. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

interface At {
  readonly at: SourcePosition;
  /** An anchor stands on it or inside it. */
  readonly anchored: boolean;
}

/** One word or text, as its source has it: `1.10` stays `1.10`, an empty value is `''`. */
export interface Scalar extends At {
  readonly kind: 'scalar';
  readonly text: string;
  /** An empty value, `null` or `~`. */
  readonly isNull: boolean;
  /** Written without quotes, so that `1` is a number and `true` a switch. */
  readonly isPlain?: boolean;
}

export interface List extends At {
  readonly kind: 'list';
  readonly items: readonly Value[];
}

export interface Entry {
  readonly key: string;
  /** Place of the key. */
  readonly at: SourcePosition;
  readonly value: Value;
}

export interface Mapping extends At {
  readonly kind: 'mapping';
  /** In the order of the file, merged keys after the mapping's own. */
  readonly entries: ReadonlyMap<string, Entry>;
}

export type Value = Scalar | List | Mapping;

/** Reports a problem; reading goes on, so that all of them are listed together. */
export type Report = (at: SourcePosition, text: string) => undefined;
