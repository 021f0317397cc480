import { rule } from '../../api/resources/rule.ts';
import { command } from '../../command/command.ts';

export const rulesList = command({
  name: 'rules list',
  summary: 'List rules in the organization',
  examples: ['cictl rules list', 'cictl rules list --org acme --json'],
  resource: rule,
  paged: true,
});

export const rulesView = command({
  name: 'rules view',
  summary: 'Show a rule',
  arguments: { uuid: { suggests: 'rules', summary: 'UUID of the rule', required: true } },
  examples: [
    'cictl rules view 42f1a7da-812d-4430-93d8-1cc7c33a6bcf',
    'cictl rules view 42f1a7da-812d-4430-93d8-1cc7c33a6bcf --jq .source_uuid',
  ],
  resource: rule,
  paged: true,
});

/** The existing rule types, with the value fields of each (API specification, "Rule"). */
const ruleTypes = ['pipeline.trigger_build.pipeline', 'pipeline.artifacts_read.pipeline'] as const;

export const rulesCreate = command({
  name: 'rules create',
  summary: 'Create a rule that lets one pipeline act on another',
  details: "If you give a slug, the UUID is taken from the pipeline's newest build.",
  options: {
    type: { value: 'TYPE', choices: ruleTypes, summary: 'action to allow' },
    source: {
      value: 'PIPELINE',
      suggests: 'pipelines',
      summary: 'UUID or slug of the pipeline that performs the action',
    },
    target: {
      value: 'PIPELINE',
      suggests: 'pipelines',
      summary: 'UUID or slug of the pipeline it acts on',
    },
    value: {
      value: 'JSON|@FILE',
      summary: 'complete value object, instead of --source and --target',
    },
  },
  examples: [
    'cictl rule create --type pipeline.trigger_build.pipeline --source a --target b',
    'cictl rules create --type pipeline.artifacts_read.pipeline --value @rule.json',
  ],
  resource: rule,
  mutates: true,
});

export const rulesDelete = command({
  name: 'rules delete',
  summary: 'Delete a rule',
  arguments: { uuid: { suggests: 'rules', summary: 'UUID of the rule', required: true } },
  examples: [
    'cictl rules delete 42f1a7da-812d-4430-93d8-1cc7c33a6bcf',
    'cictl rules delete 42f1a7da-812d-4430-93d8-1cc7c33a6bcf --yes',
  ],
  mutates: true,
});
