/**
 * A resource of the API described once: its members give the TypeScript type, the names that
 * `--fields` accepts, the columns of tables and TSV, and the detail view.
 *
 * Any member may be missing or null in what a service sends, and members unknown to us may be
 * there; both pass through untouched.
 */

/** How a member is shown. `map` and `json` are open: `--fields` may reach any name inside. */
export type Kind =
  'text' | 'integer' | 'boolean' | 'time' | 'url' | 'state' | 'map' | 'json' | 'list';

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
}

/** A value made from the members of an element and the time now, in milliseconds. */
export type Compute = (element: Readonly<Record<string, unknown>>, now: number) => unknown;

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
  /** The columns of the list, in order. */
  readonly columns: readonly Column[];
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

/** Keeps the literal types of the members. */
export const resource = <const M extends Members>(definition: Resource<M>): Resource<M> =>
  definition;
