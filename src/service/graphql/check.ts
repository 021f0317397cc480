/** Whether a query is one of this schema. */
import {
  buildASTSchema,
  OverlappingFieldsCanBeMergedRule as mergingRule,
  parse,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
  type GraphQLError,
} from 'graphql';
import { schemaText } from './schema.ts';

const definitions = parse(schemaText, { noLocation: true });

export const schema = buildASTSchema(definitions);

/** The schema without `!`. */
const nullableSchema = buildASTSchema(
  visit(definitions, { NonNullType: { leave: ({ type }) => type } }),
);

const otherRules = specifiedRules.filter((rule) => rule !== mergingRule);

/**
 * What is wrong with the query. The public service lets one name stand for members whose types
 * differ in nullability alone, such as `name` of `User` and of `UnregisteredUser`, and clients rely
 * on it: that rule is asked about a schema in which everything may be null.
 */
export function check(query: DocumentNode): readonly GraphQLError[] {
  const errors = validate(schema, query, otherRules);
  return errors.length > 0 ? errors : validate(nullableSchema, query, [mergingRule]);
}
