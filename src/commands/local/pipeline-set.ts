import { command } from '../../cli/command.ts';
import { localPipeline } from './pipeline.ts';

export const localPipelineSet = command({
  name: 'local pipeline set',
  summary: 'Change settings of a pipeline',
  details:
    'Keys: description, default_branch, branch_configuration, skip_queued_branch_builds,\n' +
    'skip_queued_branch_builds_filter, cancel_running_branch_builds,\n' +
    'cancel_running_branch_builds_filter, provider.webhook_url, provider.settings.NAME.\n' +
    'An empty value takes a text away.',
  arguments: {
    slug: { summary: 'slug of the pipeline', required: true },
    settings: { summary: 'KEY=VALUE', required: true, variadic: true },
  },
  options: {},
  examples: [
    'cictl local pipeline set web default_branch=main',
    'cictl local pipeline set web skip_queued_branch_builds=true provider.settings.build_tags=false',
  ],
  settings: 'optional',
  resource: localPipeline,
});
