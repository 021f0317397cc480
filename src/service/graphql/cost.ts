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

/** Enough for a few pages of builds with all their jobs, or for a few schema introspections. */
const maxFields = 100_000;
/** In MiB. */
const maxText = 64;

/**
 * The cost of one query. It is measured while the query runs, because page sizes say little: nested
 * lists of 500 are cheap if most of them are empty.
 */
export class Cost {
  private fields = 0;
  private characters = 0;
  readonly turns: Turns;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** Throws if a limit has been reached. */
  addField(weight: number): void {
    this.fields++;
    this.turns.count(weight);
    const error = this.error();
    if (error !== undefined) throw error;
  }

  addValue(value: unknown): void {
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === 'string') this.characters += one.length;
  }

  /** If a limit was reached, replaces the errors of all fields with a single error. */
  check(result: ExecutionResult): ExecutionResult {
    const error = this.error();
    return error === undefined ? result : { ...result, errors: [error] };
  }

  private error(): GraphQLError | undefined {
    if (this.fields > maxFields) return tooMuch(`${maxFields} fields`);
    if (this.characters > maxText * 2 ** 20) return tooMuch(`${maxText} MiB of text`);
    return undefined;
  }
}

const tooMuch = (what: string): GraphQLError =>
  new GraphQLError(`The query requests more than ${what}: request fewer or smaller pages`);

export const resolveField: GraphQLFieldResolver<unknown, unknown> = counted(defaultFieldResolver);

// The library resolves introspection itself. Its resolvers are replaced to count these fields.
const introspectionFields = [
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  ...introspectionTypes.filter(isObjectType).flatMap((type) => Object.values(type.getFields())),
];
for (const field of introspectionFields)
  field.resolve = counted(field.resolve ?? defaultFieldResolver);

/** Weight of a field whose value is a function, which reads from the store or builds an object. */
const readWeight = 10;

function counted(
  resolve: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, cost, info) => {
    if (!(cost instanceof Cost)) return resolve(source, args, cost, info);
    const member = (source as Record<string, unknown> | undefined)?.[info.fieldName];
    const isRead = typeof member === 'function';
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

/** Maximum number of fields to resolve per turn, which takes one or two milliseconds. */
export const mostFields = 500;

export type Turns = ReturnType<typeof createTurns>;

/** Splits a long query into turns, between which the service handles other requests. */
export function createTurns(endTurn: () => Promise<unknown> = nextTurn) {
  const waiting: (() => void)[] = [];
  let fields = 0;
  async function run(): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (fields >= mostFields) {
        await endTurn();
        fields = 0;
      }
      next();
      // Lets the code that was waiting run now, so that its fields count toward this turn.
      for (let step = 0; step < 4; step++) await Promise.resolve();
      waiting.shift();
    }
  }
  return {
    /** Adds completed work. A plain field counts as 1, and a read from the store counts as more. */
    count: (more: number) => void (fields += more),
    /** Whether new work must wait, because the turn is used up or other work is waiting. */
    isOver: (): boolean => fields >= mostFields || waiting.length > 0,
    /** Resolves in a later turn. Calls resolve in order. */
    next: (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) void run();
      }),
  };
}
