import { ApiError, type FieldError } from '../../http/api-error.ts';
import { clearCache, type GraphqlContext } from '../context.ts';

export interface Input {
  readonly clientMutationId?: string | null;
}

/**
 * What a mutation returns. What is refused is refused in the words of REST, each error of a
 * validation with it.
 */
export async function payload(
  context: GraphqlContext,
  { clientMutationId }: Input,
  perform: () => object | Promise<object>,
): Promise<object> {
  // What an earlier mutation of the same request read may have changed since.
  clearCache(context);
  try {
    return { clientMutationId: clientMutationId ?? null, ...(await perform()) };
  } catch (error) {
    if (error instanceof ApiError && error.errors.length > 0)
      throw new Error([error.message, error.errors.map(textOf).join(', ')].join(': '));
    throw error;
  }
}

const textOf = ({ field, code, message }: FieldError): string => message ?? `${field} is ${code}`;
