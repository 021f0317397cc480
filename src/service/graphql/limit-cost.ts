import {
  defaultFieldResolver,
  GraphQLError,
  introspectionTypes,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ExecutionResult,
  type GraphQLFieldResolver,
} from 'graphql';

/** Some pages of builds with all their jobs. It takes a second, in which nobody else is answered. */
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

  /** Throws where it was too much. */
  addField(): void {
    this.fields++;
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
  return (source, args, context, info) => {
    if (!(context instanceof Cost)) return resolve(source, args, context, info);
    context.addField();
    const value = resolve(source, args, context, info);
    context.addValue(value);
    return value;
  };
}

const tooMuch = (what: string): GraphQLError =>
  new GraphQLError(`The query asks for more than ${what}: ask for fewer or smaller pages`);
