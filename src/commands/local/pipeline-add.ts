import { command } from '../../cli/command.ts';
import { localPipeline } from './pipeline.ts';

export const localPipelineAdd = command({
  name: 'local pipeline add',
  summary: 'Register a folder with a pipeline file',
  details:
    'With --restricted others may trigger it, and read its artifacts, only where a rule allows it.',
  arguments: { dir: { summary: 'folder, a git checkout or not', required: true } },
  options: {
    slug: {
      value: 'SLUG',
      fallback: "made from the folder's name",
      summary: 'slug of the pipeline',
    },
    restricted: { summary: 'open to other pipelines by rules alone' },
  },
  examples: [
    'cictl local pipeline add .',
    'cictl local pipeline add ../web --slug web --restricted',
  ],
  settings: 'optional',
  resource: localPipeline,
});
