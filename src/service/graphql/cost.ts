import {
  defaultFieldResolver,
  getNamedType,
  GraphQLError,
  introspectionTypes,
  isLeafType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ExecutionResult,
  type GraphQLFieldResolver,
} from 'graphql';
import { nextTurn } from '../../common/clock.ts';

/** Some pages of builds with all their jobs, or the schema several times. */
const maxFields = 100_000;
const maxText = 64;

/**
 * What one query costs, as its context. It is counted while the query runs, since sizes of pages
 * tell little: lists in lists of 500 are cheap where there is little in them, and without end where
 * there is more.
 */
export class Cost {
  private fields = 0;
  private characters = 0;
  readonly turns: Turns;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** Throws where it was too much. */
  addField(weight: number): void {
    this.fields++;
    this.turns.count(weight);
    const error = this.error();
    if (error !== undefined) throw error;
  }

  addValue(value: unknown): void {
    if (typeof value === 'string') this.characters += value.length;
    else if (Array.isArray(value)) for (const element of value) this.addText(element);
  }

  /** The result, whose only error is the limit where that was reached. */
  check(result: ExecutionResult): ExecutionResult {
    const error = this.error();
    return error === undefined ? result : { ...result, errors: [error] };
  }

  private addText(value: unknown): void {
    if (typeof value === 'string') this.characters += value.length;
  }

  private error(): GraphQLError | undefined {
    if (this.fields > maxFields) return tooMuch(`${maxFields} fields`);
    if (this.characters > maxText * 2 ** 20) return tooMuch(`${maxText} MiB of text`);
    return undefined;
  }
}

/** As the library resolves fields, and counted. */
export const resolveField: GraphQLFieldResolver<unknown, unknown> = counted(defaultFieldResolver);

// What the library resolves by itself: the members of the schema, and the names of types.
const ownFields = [
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  ...introspectionTypes.filter(isObjectType).flatMap((type) => Object.values(type.getFields())),
];
for (const field of ownFields) field.resolve = counted(field.resolve ?? defaultFieldResolver);

function counted(
  resolve: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, cost, info) => {
    if (!(cost instanceof Cost)) return resolve(source, args, cost, info);
    const isRead = isFunction(source, info.fieldName);
    const run = (): unknown => {
      cost.addField(isRead ? readWeight : 1);
      const value = resolve(source, args, cost, info);
      cost.addValue(value);
      return value;
    };
    const mayWait = isRead || !isLeafType(getNamedType(info.returnType));
    return mayWait && cost.turns.isOver() ? cost.turns.next().then(run) : run();
  };
}

/** A member that costs something is a function: it reads, or makes an object. */
const readWeight = 10;

const isFunction = (source: unknown, name: string): boolean =>
  typeof (source as Record<string, unknown> | undefined)?.[name] === 'function';

const tooMuch = (what: string): GraphQLError =>
  new GraphQLError(`The query asks for more than ${what}: ask for fewer or smaller pages`);

// Long queries run in turns, between which others are answered.

/** Fields resolved in one turn, a millisecond or two. */
export const mostFields = 500;

export interface Turns {
  /** Work has been done: a plain field counts 1, what is read from the store more. */
  count(fields: number): void;
  /** Whether this turn has done enough: what comes next asks for a place in a later one. */
  isOver(): boolean;
  /** Resolves in a later turn, one after another as they were asked for. */
  next(): Promise<void>;
}

/** `endTurn` lets others have theirs. */
export function createTurns(endTurn: () => Promise<unknown> = nextTurn): Turns {
  const waiting: (() => void)[] = [];
  let fields = 0;
  async function run(): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (fields >= mostFields) {
        await endTurn();
        fields = 0;
      }
      next();
      // What was waited for goes on in these, and counts.
      for (let step = 0; step < 4; step++) await Promise.resolve();
      waiting.shift();
    }
  }
  return {
    count: (more) => void (fields += more),
    // Who comes while others wait has its place behind them.
    isOver: () => fields >= mostFields || waiting.length > 0,
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) void run();
      }),
  };
}
