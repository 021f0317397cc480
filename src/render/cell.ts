import type { Column, Kind, Resource, Show } from '../api/resources/resource.ts';
import { stringifyJson } from '../api/json.ts';
import { readPath } from './fields.ts';

/** A value for one table cell. */
export interface Cell {
  readonly kind: Kind | Show;
  readonly value: unknown;
  /** The end of the value, which is kept if the value is truncated */
  readonly tail?: string | undefined;
  /** The object that contains the value, because a state depends on other fields */
  readonly parent: unknown;
}

type Layout = Pick<
  Column,
  'heading' | 'priority' | 'keeps' | 'stays' | 'least' | 'isSpare' | 'firstWord'
>;

/** A column, with a function that reads its value from an element. */
export interface Field extends Layout {
  /** Whether the value is used as an argument, so that it is never truncated or omitted */
  readonly isReference?: boolean;
  read(element: object): Cell;
}

/** If the first path of a column is missing or null, its second path is used. */
export function fieldOf(resource: Resource, column: Column): Field {
  const { path, or, show, text, tail, isOwn } = column;
  const [first, second] = [readerOf(resource, path), or && readerOf(resource, or)];
  const readValue = (element: object): Cell => {
    const cell = first(element);
    return second && isMissing(cell.value) ? second(element) : cell;
  };
  return {
    ...column,
    isReference: isReference(resource, path) && column.givesWay !== true,
    read(element) {
      const cell = readValue(element);
      const members = element as Readonly<Record<string, unknown>>;
      const value = text === undefined ? cell.value : text(members);
      const parent = isOwn === true ? null : cell.parent;
      return { kind: show ?? cell.kind, value, parent, tail: tail?.(members) };
    },
  };
}

export const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** Null becomes empty, lists are joined with commas, and objects become JSON. */
export function plainText(value: unknown): string {
  if (isMissing(value)) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && !value.some(isOpen)) return value.map(plainText).join(',');
  return isOpen(value) ? stringifyJson(value) : String(value);
}

function readerOf(resource: Resource, path: string): Field['read'] {
  const kind = kindAt(resource, path);
  const dot = path.lastIndexOf('.');
  const parent = dot === -1 ? undefined : path.slice(0, dot);
  return (element) => ({
    kind,
    value: readPath(element, path),
    parent: parent === undefined ? element : readPath(element, parent),
  });
}

/** Unknown fields are shown as JSON. Computed fields are states or numbers. */
function kindAt({ members, computed = {} }: Resource, path: string): Cell['kind'] {
  const dot = path.indexOf('.');
  const name = dot === -1 ? path : path.slice(0, dot);
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member === undefined) {
    if (!Object.hasOwn(computed, name)) return 'json';
    return name === 'status' ? 'state' : 'integer';
  }
  if (dot === -1) return member.kind;
  return member.of === undefined ? 'json' : kindAt(member.of, path.slice(dot + 1));
}

function isReference({ references = [], members }: Resource, path: string): boolean {
  const dot = path.indexOf('.');
  if (dot === -1) return references.includes(path);
  const inner = members[path.slice(0, dot)]?.of;
  return inner !== undefined && isReference(inner, path.slice(dot + 1));
}

/** A `LosslessNumber` is an object, but is treated as a number. */
const isOpen = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !('isLosslessNumber' in value);

/** Whether a list covers several pipelines of an organization, or several organizations. */
export type Scope = 'pipeline' | 'organization';

/** In lists of several pipelines, this column replaces the number. */
export const referenceField = (scope: Scope): Field => ({
  heading: 'BUILD',
  isReference: true,
  read: (build) => ({ kind: 'text', value: buildReference(build, scope), parent: build }),
});

/**
 * Returns `PIPELINE/N` or `ORG/PIPELINE/N`, with `?` for missing parts. The organization is parsed
 * from the build's URLs, because a build has no field for it.
 */
export function buildReference(build: object, scope: Scope): string {
  const parts = fromAddress(build);
  const pipeline = textAt(build, 'pipeline.slug') ?? parts?.pipeline ?? '?';
  const number = textAt(build, 'number') ?? parts?.number ?? '?';
  const short = `${pipeline}/${number}`;
  return scope === 'pipeline' ? short : `${parts?.org ?? '?'}/${short}`;
}

const restAddress = /\/organizations\/([^/?#]+)\/pipelines\/([^/?#]+)\/builds\/(\d+)/;
const webAddress = /^[a-z]+:\/\/[^/]+\/([^/?#]+)\/([^/?#]+)\/builds\/(\d+)/;

function fromAddress(build: object): { org: string; pipeline: string; number: string } | undefined {
  const match =
    restAddress.exec(textAt(build, 'url') ?? '') ?? webAddress.exec(textAt(build, 'web_url') ?? '');
  const [, org, pipeline, number] = match ?? [];
  if (org === undefined || pipeline === undefined || number === undefined) return undefined;
  return { org: decode(org), pipeline: decode(pipeline), number };
}

function textAt(build: object, path: string): string | undefined {
  const value = readPath(build, path) ?? undefined;
  return value === undefined ? undefined : plainText(value);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
