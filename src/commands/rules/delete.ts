import { command } from '../../cli/command.ts';

export const rulesDelete = command({
  name: 'rules delete',
  summary: 'Delete a rule',
  arguments: { uuid: { summary: 'the uuid of the rule', required: true } },
  options: {},
  examples: [
    'cictl rules delete 42f1a7da-812d-4430-93d8-1cc7c33a6bcf',
    'cictl rules delete 42f1a7da-812d-4430-93d8-1cc7c33a6bcf --yes',
  ],
  mutates: true,
});
