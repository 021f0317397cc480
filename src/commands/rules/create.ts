import { rule } from '../../api/resources/rule.ts';
import { command } from '../../cli/command.ts';
import { ruleTypes } from './types.ts';

export const rulesCreate = command({
  name: 'rules create',
  summary: 'Permit an action between two pipelines',
  details: 'A pipeline given as a slug is looked up through its newest build.',
  arguments: {},
  options: {
    type: { value: 'TYPE', choices: ruleTypes, summary: 'what is permitted' },
    source: { value: 'PIPELINE', summary: 'UUID or slug of the pipeline that acts' },
    target: { value: 'PIPELINE', summary: 'UUID or slug of the pipeline acted upon' },
    value: {
      value: 'JSON|@FILE',
      summary: 'the whole value object, in place of source and target',
    },
  },
  examples: [
    'cictl rules create --type pipeline.trigger_build.pipeline --source web --target deploy',
    'cictl rules create --type pipeline.artifacts_read.pipeline --value @rule.json --dry-run',
  ],
  resource: rule,
  mutates: true,
});
