import { command } from '../../cli/command.ts';

export const localPipelineRemove = command({
  name: 'local pipeline remove',
  summary: 'Remove a pipeline with all its builds',
  details: 'Asks first. Its folder stays as it is.',
  arguments: { slug: { summary: 'slug of the pipeline', required: true } },
  options: {},
  examples: ['cictl local pipeline remove web', 'cictl local pipeline remove web --yes'],
  settings: 'optional',
});
