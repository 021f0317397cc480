import { command } from '../../cli/command.ts';
import { localPipeline } from './pipeline.ts';

export const localPipelineList = command({
  name: 'local pipeline list',
  summary: 'List the pipelines of the built-in service',
  arguments: {},
  options: {},
  examples: ['cictl local pipeline list', 'cictl local pipeline list --fields slug,folder'],
  settings: 'optional',
  resource: localPipeline,
});
