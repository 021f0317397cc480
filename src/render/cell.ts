import type { Column, Kind, Resource, Show } from '../api/resources/resource.ts';
import { stringifyJson } from '../api/json.ts';
import { readPath } from './fields.ts';

/** What stands in one cell of a row or a detail view, before it is formatted. */
export interface Cell {
  readonly kind: Kind | Show;
  readonly value: unknown;
  /** What stays where the value is shortened. */
  readonly tail?: string | undefined;
  /** The object that has the member: a state is shown with what stands beside it. */
  readonly parent: unknown;
}

/** How a column gives way where a table is narrow. */
type Layout = Pick<
  Column,
  'heading' | 'priority' | 'keeps' | 'stays' | 'least' | 'isSpare' | 'firstWord'
>;

/** A column ready to be read from elements. */
export interface Field extends Layout {
  /** What other commands take: it is never shortened nor left out. */
  readonly isReference?: boolean;
  read(element: object): Cell;
}

/** A column of a resource; its second choice counts where the first is missing or null. */
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

/** Whether there is nothing to show. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** A value as text: nothing for null, lists joined by commas, objects as JSON. */
export function plainText(value: unknown): string {
  if (isMissing(value)) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && !value.some(isOpen)) return value.map(plainText).join(',');
  return isOpen(value) ? stringifyJson(value) : String(value);
}

/** What is the same for all elements is found once. */
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

/** Where it is described; what is computed is a state or a number. */
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

/** An object or array; a number too long for JavaScript is none. */
const isOpen = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !('isLosslessNumber' in value);

/** How far a list of builds reaches, which decides how each of them is named. */
export type Scope = 'pipeline' | 'organization';

/** The first column of a list over several pipelines; it takes the place of the number. */
export const referenceField = (scope: Scope): Field => ({
  heading: 'BUILD',
  isReference: true,
  read: (build) => ({ kind: 'text', value: buildReference(build, scope), parent: build }),
});

/**
 * `PIPELINE/N` or `ORG/PIPELINE/N` of a build. A build does not name its organization, so that is
 * read from its addresses; what is nowhere to be found is a question mark.
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
