import {
  defaultFieldResolver,
  GraphQLError,
  type ExecutionResult,
  type GraphQLFieldResolver,
} from 'graphql';

/** Some pages of builds with all their jobs. It takes a second, in which nobody else is answered. */
const maxFields = 100_000;

interface FieldLimit {
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  /** The result, whose only error is the limit where that was reached. */
  readonly check: (result: ExecutionResult) => ExecutionResult;
}

/**
 * For one query. What it costs is counted while it runs, since sizes of pages tell little: lists in
 * lists of 500 are cheap where there is little in them, and without end where there is more.
 */
export function limitFields(): FieldLimit {
  let count = 0;
  return {
    resolve: (source, args, context, info) => {
      if (++count > maxFields) throw tooMany();
      return defaultFieldResolver(source, args, context, info);
    },
    check: (result) => (count > maxFields ? { ...result, errors: [tooMany()] } : result),
  };
}

const tooMany = (): GraphQLError =>
  new GraphQLError(
    `The query asks for more than ${maxFields} fields: ask for fewer or smaller pages`,
  );
