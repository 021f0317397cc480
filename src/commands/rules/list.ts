import { rule } from '../../api/resources/rule.ts';
import { command } from '../../cli/command.ts';

export const rulesList = command({
  name: 'rules list',
  summary: 'List the rules of the organization',
  arguments: {},
  options: {},
  examples: ['cictl rules list', 'cictl rules list --org acme --json'],
  resource: rule,
});
