/** The part of JSON Schema that plugins use. Unknown keywords are ignored. */
import { isDeepStrictEqual } from 'node:util';
import { attempt } from '../../common/attempt.ts';
import type { Json, JsonObject } from '../pipeline/plan.ts';
import { matchesRegex, parseRegex } from '../pipeline/regex.ts';

/** Returns one sentence per violation, such as `command must be an array`. */
export function checkValue(schema: Json, value: Json, path = ''): string[] {
  if (!isMap(schema)) return schema === false ? [`${nameOf(path)} is not allowed`] : [];
  const wrongType = checkType(schema, value, path);
  if (wrongType.length > 0) return wrongType;
  return [
    ...checkChoice(schema, value, path),
    ...checkBounds(schema, value).map((sentence) => `${nameOf(path)} ${sentence}`),
    ...checkCombinations(schema, value, path),
    ...(isMap(value) ? checkMembers(schema, value, path) : []),
    ...(isList(value) ? checkItems(schema, value, path) : []),
  ];
}

function checkType({ type }: JsonObject, value: Json, path: string): string[] {
  const types = listOf(type).filter((name) => typeof name === 'string');
  if (types.length === 0 || types.some((name) => typeTests[name]?.(value) ?? true)) return [];
  return [`${nameOf(path)} must be ${types.map(withArticle).join(' or ')}`];
}

const typeTests: Readonly<Record<string, (value: Json) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  array: (value) => isList(value),
  object: (value) => isMap(value),
};

function checkChoice(schema: JsonObject, value: Json, path: string): string[] {
  const allowed = Object.hasOwn(schema, 'const') ? [schema['const'] ?? null] : schema['enum'];
  if (!isList(allowed) || allowed.some((choice) => isDeepStrictEqual(choice, value))) return [];
  const choices = allowed.map((choice) => JSON.stringify(choice)).join(', ');
  return [`${nameOf(path)} must be one of ${choices}`];
}

function checkCombinations(schema: JsonObject, value: Json, path: string): string[] {
  const problemsOf = (part: Json): string[] => checkValue(part, value, path);
  const fits = (part: Json): boolean => problemsOf(part).length === 0;
  const { allOf, anyOf, oneOf, not = false } = schema;
  const unfit = [anyOf, oneOf].filter(isList).filter((choices) => !choices.some(fits));
  const fitting = isList(oneOf) ? oneOf.filter(fits) : [];
  return [
    ...listOf(allOf).flatMap(problemsOf),
    ...unfit.map(() => `${nameOf(path)} matches none of the allowed forms`),
    ...(fitting.length > 1 && fitting.every(isKnown)
      ? [`${nameOf(path)} must match only one of the allowed forms`]
      : []),
    ...(isMap(not) && isKnown(not) && fits(not)
      ? [`${nameOf(path)} is not in an allowed format`]
      : []),
  ];
}

/** Whether all keywords are supported. If not, the check may have missed violations. */
const isKnown = (schema: Json): boolean =>
  !/"(\$ref|if|format|contains|propertyNames|dependentSchemas)":/.test(JSON.stringify(schema));

function checkMembers(schema: JsonObject, value: JsonObject, path: string): string[] {
  const required = listOf(schema['required']).filter((key) => typeof key === 'string');
  const missing = required.filter((key) => !Object.hasOwn(value, key));
  return [
    ...missing.map((key) => `${nameOf(join(path, key))} is missing`),
    ...checkDependencies(schema, value, path),
    ...Object.entries(value).flatMap(([key, member]) => checkMember(schema, key, member, path)),
  ];
}

/** Checks `dependencies`: if a key is present, other keys must be too, or a schema must match. */
function checkDependencies(schema: JsonObject, value: JsonObject, path: string): string[] {
  const { dependencies, dependentRequired } = schema;
  const rules = [dependencies, dependentRequired].filter(isMap).flatMap(Object.entries<Json>);
  return rules.flatMap(([key, rule]) => {
    if (!Object.hasOwn(value, key)) return [];
    if (!isList(rule)) return checkValue(rule, value, path);
    const wanted = rule.filter((other) => typeof other === 'string');
    const missing = wanted.filter((other) => !Object.hasOwn(value, other));
    return missing.map((other) => `${nameOf(join(path, other))} is required with ${key}`);
  });
}

function checkMember(schema: JsonObject, key: string, member: Json, path: string): string[] {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = schema;
  const place = join(path, key);
  const known = isMap(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const patterns = isMap(patternProperties) ? Object.entries(patternProperties) : [];
  const fitting = patterns.filter(([pattern]) => fitsPattern(pattern, key) !== false);
  const readable = fitting.filter(([pattern]) => fitsPattern(pattern, key) === true);
  const problems = readable.flatMap(([, part]) => checkValue(part, member, place));
  if (known !== undefined) return [...checkValue(known, member, place), ...problems];
  if (fitting.length > 0) return problems;
  if (additionalProperties === false) return [`${nameOf(place)} is not a known key`];
  return checkValue(additionalProperties, member, place);
}

function checkItems({ items = true }: JsonObject, value: readonly Json[], path: string): string[] {
  if (isList(items)) return [];
  return value.flatMap((item, index) => checkValue(items, item, join(path, String(index))));
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const nameOf = (path: string): string => (path === '' ? 'the configuration' : path);

const withArticle = (type: string): string =>
  /^[aeio]/.test(type) ? `an ${type}` : type === 'null' ? 'null' : `a ${type}`;

/** Returns violations of ranges, lengths and patterns, such as `must be at least 1`. */
function checkBounds(schema: JsonObject, value: Json): string[] {
  if (typeof value === 'number') return checkNumber(schema, value);
  if (typeof value === 'string') return checkText(schema, value);
  if (Array.isArray(value)) return checkList(schema, value as readonly Json[]);
  if (value === null || typeof value !== 'object') return [];
  const count = Object.keys(value).length;
  return checkCount(count, schema['minProperties'], schema['maxProperties'], 'key');
}

function checkNumber(schema: JsonObject, value: number): string[] {
  const above = limits(schema['minimum'], schema['exclusiveMinimum']);
  const below = limits(schema['maximum'], schema['exclusiveMaximum']);
  const step = schema['multipleOf'];
  return [
    ...(value < above.with ? [`must be at least ${above.with}`] : []),
    ...(value <= above.without ? [`must be greater than ${above.without}`] : []),
    ...(value > below.with ? [`must be at most ${below.with}`] : []),
    ...(value >= below.without ? [`must be less than ${below.without}`] : []),
    ...(isStep(step) && !isWhole(value / step) ? [`must be a multiple of ${step}`] : []),
  ];
}

/** `exclusive` is a second limit or, in older schemas, a flag that makes `limit` exclusive. */
function limits(limit: Json | undefined, exclusive: Json | undefined) {
  const given = numberOf(limit);
  if (exclusive === true) return { with: NaN, without: given };
  return { with: given, without: numberOf(exclusive) };
}

/** NaN if there is no limit, so that all comparisons are false. */
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : NaN);

const isStep = (step: Json | undefined): step is number => typeof step === 'number' && step > 0;

/** Tolerates rounding: 0.3 is a multiple of 0.1. */
const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-9;

function checkText(schema: JsonObject, value: string): string[] {
  const { pattern } = schema;
  const length = Array.from(value).length;
  const isFit = typeof pattern !== 'string' || fitsPattern(pattern, value) !== false;
  return [
    ...checkCount(length, schema['minLength'], schema['maxLength'], 'character'),
    ...(isFit ? [] : [`must match ${pattern}`]),
  ];
}

function checkList(schema: JsonObject, value: readonly Json[]): string[] {
  const isRepeated = new Set(value.map((item) => JSON.stringify(item))).size < value.length;
  return [
    ...checkCount(value.length, schema['minItems'], schema['maxItems'], 'item'),
    ...(schema['uniqueItems'] === true && isRepeated ? ['must not contain duplicate items'] : []),
  ];
}

function checkCount(
  count: number,
  least: Json | undefined,
  most: Json | undefined,
  what: string,
): string[] {
  return [
    ...(count < numberOf(least) ? [`must have at least ${amount(numberOf(least), what)}`] : []),
    ...(count > numberOf(most) ? [`must have at most ${amount(numberOf(most), what)}`] : []),
  ];
}

const amount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Null if the pattern is invalid. Takes linear time, so no pattern can block the service. */
function fitsPattern(pattern: string, text: string): boolean | null {
  const regex = attempt(() =>
    parseRegex(pattern, false, (message) => {
      throw new Error(message);
    }),
  );
  return regex === undefined ? null : matchesRegex(regex, text);
}
