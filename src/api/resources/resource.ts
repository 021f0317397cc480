/**
 * A resource of the API described once: its members give the TypeScript type, the names that
 * `--fields` accepts, the columns of tables and TSV, and the detail view.
 *
 * Any member may be missing or null in what a service sends, and members unknown to us may be
 * there; both pass through untouched.
 */

/** How a member is shown. `map` and `json` are open: `--fields` may reach any name inside. */
export type Kind =
  'text' | 'prose' | 'integer' | 'boolean' | 'time' | 'url' | 'state' | 'map' | 'json' | 'list';

/**
 * How a column of a table shows a value that has a longer form elsewhere: of a state the sign or the
 * words, of seconds `1m35s`, of a time how long ago it is.
 */
export type Show = 'glyph' | 'words' | 'took' | 'age';

export interface Member<T = unknown> {
  readonly kind: Kind;
  /** The resource inside an embedded object, or inside each element of a `list`. */
  readonly of?: Resource;
  /** What each element of a `list` without `of` is; left out, anything. */
  readonly items?: Kind;
  /** Carries the TypeScript type; never present at run time. */
  readonly type?: T;
}

export type Members = Readonly<Record<string, Member>>;

/** A column of a table: a member path with a heading. */
export interface Column {
  /** Dotted path inside the element; also the name for `--fields`. */
  readonly path: string;
  readonly heading: string;
  /** The path shown where the member at `path` is missing or null: manual jobs have no `name`. */
  readonly or?: string;
  /**
   * Where a table is narrow, columns of a larger number are dropped first; default: their index.
   */
  readonly priority?: number;
  readonly show?: Show;
  /** Shows a state as the service sent it, whatever its element says of it: for `--fields`. */
  readonly isOwn?: boolean;
  /** In place of the value at `path`, which TSV and `--fields` give. */
  readonly text?: (element: Readonly<Record<string, unknown>>) => string | undefined;
  /** What stays behind the text where that is shortened: `1/2`. */
  readonly tail?: (element: Readonly<Record<string, unknown>>) => string | undefined;
  /** Which end of a shortened text stays; default the beginning. */
  readonly keeps?: 'end';
  /** Shortened where a table is narrow, and never left out. */
  readonly stays?: boolean;
  /** Columns below which it is shortened only where nothing else gives way; default 10. */
  readonly least?: number;
  /** Where a table is narrow the first word is enough, as of a name. */
  readonly firstWord?: boolean;
  /** Shown only where no text has to be shortened much for it: nobody reads ids. */
  readonly isSpare?: boolean;
  /** A member by which other commands name an element, which has to give way all the same. */
  readonly givesWay?: boolean;
}

/** A value made from the members of an element and the time now, in milliseconds. */
type Compute = (element: Readonly<Record<string, unknown>>, now: number) => unknown;

export interface Resource<M extends Members = Members> {
  /** Singular, as messages say it: `build`. */
  readonly name: string;
  readonly plural: string;
  readonly members: M;
  /**
   * Members by which other commands name an element: a table shows them whole, whatever its width.
   */
  readonly references?: readonly string[];
  /**
   * Members that identify an element; what has none of them is no such resource at all. Only
   * what a service sends as a response has them.
   */
  readonly identity?: readonly string[];
  /** What `--fields` may name although no service sends it. */
  readonly computed?: Readonly<Record<string, Compute>>;
  /** The columns of the table, in order. */
  readonly columns: readonly Column[];
  /** The columns of TSV, where they are others: scripts count them, so that they stay. */
  readonly tsv?: readonly Column[];
  /** One of them in words, after what was done with it: `build web/7 on main: Fix it`. */
  readonly describe?: (element: Readonly<Record<string, unknown>>) => string;
  /** What is no row of a table: nobody looks for it. */
  readonly hasNoRow?: (element: object) => boolean;
  /** Paths of the detail view, in order; default all scalar members and lists of them. */
  readonly detail?: readonly string[];
}

/** The TypeScript type of a resource: every member optional and nullable. */
export type ResourceValue<R extends { readonly members: Members }> = {
  -readonly [K in keyof R['members']]?: R['members'][K] extends Member<infer T> ? T | null : never;
};

/** A member of another type: `member<T>(kind)()`. */
export const member =
  <T>(kind: Kind) =>
  (): Member<T> => ({ kind });

export const text = member<string>('text');
/** What people wrote for people: shortcodes of emojis are shown as such. */
export const prose = member<string>('prose');
export const integer = member<number>('integer');
export const boolean = member<boolean>('boolean');
/** ISO 8601, or `2013-09-03 13:24:38 UTC` (specification, "Pipeline"). */
export const time = member<string>('time');
export const url = member<string>('url');
export const state = member<string>('state');
/** Open object of strings: `env`, `meta_data`. */
export const map = member<Record<string, string>>('map');
/** Anything: shown as JSON. */
export const json = member<unknown>('json');
export const texts = (): Member<string[]> => ({ kind: 'list', items: 'text' });

/** An embedded object of another resource. */
export const one = <R extends Resource>(of: R): Member<ResourceValue<R>> => ({ kind: 'json', of });
/** An array of another resource. */
export const many = <R extends Resource>(of: R): Member<ResourceValue<R>[]> => ({
  kind: 'list',
  of,
});

/** Columns of data, which has no headings. */
export const columnsAt = (...paths: readonly string[]): Column[] =>
  paths.map((path) => ({ path, heading: path.toUpperCase() }));

/** Keeps the literal types of the members. */
export const resource = <const M extends Members>(definition: Resource<M>): Resource<M> =>
  definition;

// What commands make themselves, described as the resources of the API are: nothing of it is left out.

/** A part has all of its members; those that may be null say so. */
export type Complete<R extends { readonly members: Members }> = {
  readonly [K in keyof R['members']]: R['members'][K] extends Member<infer T> ? T : never;
};

export const orNull = <T>(kind: Kind) => member<T | null>(kind);

/** An object within another. */
export const inside = <R extends Resource>(of: R): Member<Complete<R>> => ({ kind: 'json', of });

export const listOf = <R extends Resource>(of: R): Member<readonly Complete<R>[]> => ({
  kind: 'list',
  of,
});
