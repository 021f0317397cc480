import { emoji } from '../../api/resources/emoji.ts';
import { command } from '../../command/command.ts';

export const emojisList = command({
  name: 'emojis list',
  summary: 'List emojis in the organization',
  options: { search: { value: 'TEXT', summary: 'only emojis whose name or alias contains TEXT' } },
  examples: ['cictl emojis list --search rocket', "cictl emojis list --jq '.[].name'"],
  resource: emoji,
  paged: true,
});
