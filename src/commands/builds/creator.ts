import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { isUuid } from '../../refs/parse-reference.ts';

/**
 * The id of the user whose builds are wanted: a UUID, or `me`, the user of the token. Code 2 for
 * anything else, since the service would find nothing and not say so.
 */
export async function creatorId(
  text: string,
  { client }: Pick<Context, 'client'>,
): Promise<string> {
  if (isUuid(text)) return text;
  if (!/^@?me$/i.test(text)) {
    throw usageError(
      `--creator takes the UUID of a user, or me, not ${JSON.stringify(text)}`,
      'cictl builds list --creator me',
    );
  }
  const { accessToken } = await client();
  const { user } = await accessToken.get();
  const id = user?.id ?? (await accessToken.user()).id;
  if (id) return id;
  throw new CictlError('invalid_response', 'the service sent a user without an id');
}
