import { rule } from '../../api/resources/rule.ts';
import { command } from '../../cli/command.ts';

export const rulesView = command({
  name: 'rules view',
  summary: 'Show a rule',
  arguments: { uuid: { summary: 'the uuid of the rule', required: true } },
  options: {},
  examples: [
    'cictl rules view 42f1a7da-812d-4430-93d8-1cc7c33a6bcf',
    'cictl rules view 42f1a7da-812d-4430-93d8-1cc7c33a6bcf --jq .source_uuid',
  ],
  resource: rule,
});
