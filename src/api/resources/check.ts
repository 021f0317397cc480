import { CictlError } from '../../errors.ts';
import type { Kind, Member, Members, Resource } from './resource.ts';

/**
 * Returns the path and problem of the first field that has the wrong type, as the end of a sentence:
 * `jobs[2].state is a number instead of a string`. Missing, null and unknown fields are valid.
 */
export const checkResource = ({ members }: Resource, element: object): string | undefined =>
  findWrongMember(members, element as Record<string, unknown>);

/** Throws `invalid_response`. Resources without an identity come from cictl and are not checked. */
export function assertResource(resource: Resource, element: object): void {
  if (resource.identity === undefined) return;
  const error = checkResource(resource, element);
  if (error === undefined) return;
  throw new CictlError('invalid_response', `${elementName(resource, element)}: ${error}`);
}

/**
 * The resource without the lists that none of the paths read. Checking the jobs of a page of builds
 * would take longer than printing it.
 */
export const withoutLists = (resource: Resource, paths: readonly string[]): Resource => ({
  ...resource,
  members: Object.fromEntries(
    Object.entries(resource.members).filter(
      ([name, { kind, of }]) =>
        kind !== 'list' || of === undefined || paths.some((path) => path.split('.')[0] === name),
    ),
  ),
});

/** Returns an error message for a response of another kind, such as a sign-in page. */
export function checkIdentity({ name, members, identity }: Resource, element: object) {
  if (identity === undefined || identity.some((key) => holds(element, key, members[key]))) {
    return undefined;
  }
  const article = /^[aeiou]/.test(name) ? 'an' : 'a';
  return `the response is not ${article} ${name}: it has no ${identity.join(' or ')}`;
}

export function typeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (isLongNumber(value)) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * A page has thousands of members, most of them strings. For these, comparing `typeof` avoids two
 * function calls.
 */
function findWrongMember(members: Members, element: Record<string, unknown>): string | undefined {
  for (const { name, type, member } of listOf(members)) {
    const value = element[name];
    if (typeof value === type || value === undefined || value === null) continue;
    const error = wrongMemberOf(member, value);
    if (error !== undefined) return name + error;
  }
  return undefined;
}

function listOf(members: Members) {
  let list = lists.get(members);
  if (list === undefined) {
    list = Object.entries(members).map(([name, member]) => {
      return { name, member, type: checks[member.kind].type };
    });
    lists.set(members, list);
  }
  return list;
}

const lists = new WeakMap<Members, { name: string; member: Member; type?: string | undefined }[]>();

/** Returns the text that follows the field name: ` is …`, `.inner is …` or `[0] is …`. */
function wrongMemberOf({ kind, of, items }: Member, value: unknown): string | undefined {
  if (of !== undefined && kind !== 'list') return wrongMemberInside(of, value);
  if (!checks[kind].test(value)) return wrong(value, checks[kind].word);
  if (of === undefined && items === undefined) return undefined;
  for (const [at, element] of (value as readonly unknown[]).entries()) {
    const error = of === undefined ? wrongItem(items, element) : wrongMemberInside(of, element);
    if (error !== undefined) return `[${at}]${error}`;
  }
  return undefined;
}

function wrongMemberInside({ members }: Resource, value: unknown): string | undefined {
  if (!isObject(value)) return wrong(value, checks.map.word);
  const error = findWrongMember(members, value);
  return error === undefined ? undefined : `.${error}`;
}

const wrongItem = (kind: Kind = 'json', value: unknown): string | undefined =>
  checks[kind].test(value) ? undefined : wrong(value, checks[kind].word);

const wrong = (value: unknown, wanted: string): string =>
  ` is ${typeName(value)} instead of ${wanted}`;

const isText = (value: unknown): boolean => typeof value === 'string';

const isLongNumber = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isLosslessNumber' in value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLongNumber(value);

/** Integers that JavaScript would round are objects whose `String()` has all digits. */
const isInteger = (value: unknown): boolean =>
  Number.isInteger(value) || (isLongNumber(value) && /^-?\d+$/.test(String(value)));

const string = { word: 'a string', type: 'string', test: isText };

/** `type` is set for kinds that `typeof` can check. */
const checks: Readonly<
  Record<Kind, { word: string; type?: string; test: (value: unknown) => boolean }>
> = {
  ...{ text: string, prose: string, time: string, url: string, state: string },
  integer: { word: 'an integer', test: isInteger },
  boolean: { word: 'a boolean', type: 'boolean', test: (value) => typeof value === 'boolean' },
  map: { word: 'an object', test: isObject },
  list: { word: 'an array', test: Array.isArray },
  json: { word: 'anything', test: () => true },
};

function holds(element: object, key: string, member: Member | undefined): boolean {
  const value = (element as Record<string, unknown>)[key];
  return (
    value !== undefined && value !== null && member !== undefined && checks[member.kind].test(value)
  );
}

function elementName({ name, identity = [] }: Resource, element: object): string {
  const values = identity.map((key) => (element as Record<string, unknown>)[key]);
  const own = values.find((value) => typeof value === 'number' || typeof value === 'string');
  return own === undefined ? name : `${name} ${String(own).slice(0, 80)}`;
}
