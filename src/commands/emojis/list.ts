import { assertResource } from '../../api/resources/check.ts';
import { emoji, type Emoji } from '../../api/resources/emoji.ts';
import type { Handler } from '../../command/command.ts';
import { requireOrg } from '../../refs/resolve.ts';
import type { emojisList } from './index.ts';

/** Filters the list on the client, because the API has no search. */
export const listEmojis: Handler<typeof emojisList> = async ({ search }, context) => {
  const org = requireOrg(context);
  const { emojis } = await context.client();
  const all = await emojis.list(org);
  const found = search === undefined ? all : all.filter((item) => matches(item, search));
  await context.out.list(emoji, found, { empty: 'no emojis found' });
};

function matches(item: Emoji, text: string): boolean {
  assertResource(emoji, item);
  const { name, aliases } = item;
  return [name, ...(aliases ?? [])].some((word) =>
    word?.toLowerCase().includes(text.toLowerCase()),
  );
}
