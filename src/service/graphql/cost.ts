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

/** Allows a few pages of builds with all their jobs, or a few schema introspections. */
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

  /** Counts a field. Throws if a limit has been reached. */
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

// GraphQL.js resolves introspection fields itself. Its resolvers are wrapped to count them too.
const introspectionFields = [
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  ...introspectionTypes.filter(isObjectType).flatMap((type) => Object.values(type.getFields())),
];
for (const field of introspectionFields)
  field.resolve = counted(field.resolve ?? defaultFieldResolver);

/** Weight of a field whose value comes from a function, such as a read from the store. */
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

/** Maximum number of fields to resolve per turn. A turn takes one or two milliseconds. */
export const mostFields = 500;

export type Turns = ReturnType<typeof createTurns>;

/** Splits a long query into turns. The service handles other requests between turns. */
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
      // Yields to the code that was waiting, so that its fields count toward this turn.
      for (let step = 0; step < 4; step++) await Promise.resolve();
      waiting.shift();
    }
  }
  return {
    /** Records completed work: 1 for a plain field, more for a read from the store. */
    count: (more: number) => void (fields += more),
    /** Whether new work must wait, because the turn is used up or other work is waiting. */
    isOver: (): boolean => fields >= mostFields || waiting.length > 0,
    /** Returns a promise that resolves in a later turn, in the order of the calls. */
    next: (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) void run();
      }),
  };
}
