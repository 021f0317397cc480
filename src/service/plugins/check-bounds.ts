/** Ranges, lengths and patterns of a JSON schema. */
import type { Json, JsonObject } from '../pipeline/plan.ts';
import { fitsPattern } from './fits-pattern.ts';

/** What is beyond the bounds of the schema, as what stands behind the name: `must be at least 1`. */
export function checkBounds(schema: JsonObject, value: Json): string[] {
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
    ...(value <= above.without ? [`must be more than ${above.without}`] : []),
    ...(value > below.with ? [`must be at most ${below.with}`] : []),
    ...(value >= below.without ? [`must be less than ${below.without}`] : []),
    ...(isStep(step) && !isWhole(value / step) ? [`must be a multiple of ${step}`] : []),
  ];
}

/** `exclusive` is a limit of its own, or in older schemas says how the first one is meant. */
function limits(limit: Json | undefined, exclusive: Json | undefined) {
  const given = numberOf(limit);
  if (exclusive === true) return { with: NaN, without: given };
  return { with: given, without: numberOf(exclusive) };
}

/** NaN, with which nothing compares, where there is none. */
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : NaN);

const isStep = (step: Json | undefined): step is number => typeof step === 'number' && step > 0;

/** As far as a division can say: 0.3 is a multiple of 0.1. */
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
    ...(schema['uniqueItems'] === true && isRepeated ? ['must not have the same item twice'] : []),
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
