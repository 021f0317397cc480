/**
 * A resource of the API. Its fields define the TypeScript type, the names for `--fields`, the
 * columns of tables and TSV, and the detail view. Fields of a response may be missing, null or
 * unknown, and are passed through unchanged.
 */

/** How a field is shown. `map` and `json` are open: `--fields` accepts any name inside them. */
export type Kind =
  'text' | 'prose' | 'integer' | 'boolean' | 'time' | 'url' | 'state' | 'map' | 'json' | 'list';

/** How a table shows a value: a state as a glyph or words, seconds as `1m35s`, a time as an age. */
export type Show = 'glyph' | 'words' | 'took' | 'age';

export interface Member<T = unknown> {
  readonly kind: Kind;
  readonly of?: Resource;
  /** The kind of a list's elements if `of` is not set. By default, elements may be of any kind. */
  readonly items?: Kind;
  /** Carries the TypeScript type; never set at run time */
  readonly type?: T;
}

export type Members = Readonly<Record<string, Member>>;

export interface Column {
  /** Dotted path inside the element, also used as the name for `--fields` */
  readonly path: string;
  readonly heading: string;
  /** The fallback path if `path` is missing or null. For example, manual jobs have no `name`. */
  readonly or?: string;
  /** In a narrow table, higher numbers are dropped first. Defaults to the column's position. */
  readonly priority?: number;
  readonly show?: Show;
  /** For `--fields`: shows the state itself, regardless of other fields such as `blocked`. */
  readonly isOwn?: boolean;
  /** Text to show in tables; TSV and `--fields` always contain the value at `path`. */
  readonly text?: (element: Readonly<Record<string, unknown>>) => string | undefined;
  readonly tail?: (element: Readonly<Record<string, unknown>>) => string | undefined;
  readonly keeps?: 'end';
  /** Truncated in a narrow table, but never dropped. */
  readonly stays?: boolean;
  /** Minimum width while another column can still be truncated. Defaults to 10. */
  readonly least?: number;
  /** In a narrow table, only the first word may be shown, such as a person's first name. */
  readonly firstWord?: boolean;
  /** Dropped first, together with IDs, so that other columns need not be much narrower. */
  readonly isSpare?: boolean;
  /** May be truncated or dropped although commands accept the value as a reference */
  readonly givesWay?: boolean;
}

type Compute = (element: Readonly<Record<string, unknown>>, now: number) => unknown;

export interface Resource<M extends Members = Members> {
  readonly name: string;
  readonly plural: string;
  readonly members: M;
  /** Fields by which other commands identify an element. Tables never truncate them. */
  readonly references?: readonly string[];
  /** Fields whose presence proves that a response is this resource. */
  readonly identity?: readonly string[];
  readonly computed?: Readonly<Record<string, Compute>>;
  readonly columns: readonly Column[];
  /** The columns for TSV, if different from `columns`. Scripts rely on their order. */
  readonly tsv?: readonly Column[];
  readonly describe?: (element: Readonly<Record<string, unknown>>) => string;
  /** Returns true for elements that are omitted from tables */
  readonly hasNoRow?: (element: object) => boolean;
  /** Paths of the detail view, in order. Defaults to all scalars and lists of scalars. */
  readonly detail?: readonly string[];
}

export type ResourceValue<R extends { readonly members: Members }> = {
  -readonly [K in keyof R['members']]?: R['members'][K] extends Member<infer T> ? T | null : never;
};

export const member =
  <T>(kind: Kind) =>
  (): Member<T> => ({ kind });

export const text = member<string>('text');
export const prose = member<string>('prose');
export const integer = member<number>('integer');
export const boolean = member<boolean>('boolean');
/** ISO 8601, or `2013-09-03 13:24:38 UTC` (spec.md, "Pipeline") */
export const time = member<string>('time');
export const url = member<string>('url');
export const state = member<string>('state');
/** Open object of strings: `env`, `meta_data` */
export const map = member<Record<string, string>>('map');
export const json = member<unknown>('json');
export const texts = (): Member<string[]> => ({ kind: 'list', items: 'text' });

export const one = <R extends Resource>(of: R): Member<ResourceValue<R>> => ({ kind: 'json', of });
export const many = <R extends Resource>(of: R): Member<ResourceValue<R>[]> => ({
  kind: 'list',
  of,
});

export const words = (text: string): string[] => text.split(/\s+/);

/** Columns for TSV, whose output has no heading row. */
export const columnsAt = (...paths: readonly string[]): Column[] =>
  paths.map((path) => ({ path, heading: path.toUpperCase() }));

export const resource = <const M extends Members>(definition: Resource<M>): Resource<M> =>
  definition;

/** A resource that only occurs inside other resources, so it needs no name and no columns. */
export const part = <const M extends Members>(members: M): Resource<M> => ({
  ...{ name: '', plural: '', members, columns: [] },
});

/** The type of a resource that cictl creates itself: no field is missing. */
export type Complete<R extends { readonly members: Members }> = {
  readonly [K in keyof R['members']]: R['members'][K] extends Member<infer T> ? T : never;
};

export const orNull = <T>(kind: Kind) => member<T | null>(kind);

export const inside = <R extends Resource>(of: R): Member<Complete<R>> => ({ kind: 'json', of });

export const listOf = <R extends Resource>(of: R): Member<readonly Complete<R>[]> => ({
  kind: 'list',
  of,
});
