import { annotation } from '../../api/resources/annotation.ts';
import { command } from '../../cli/command.ts';

export const annotationsView = command({
  name: 'annotations view',
  summary: 'Show what an annotation says',
  arguments: { context: { summary: 'the context of the annotation', required: true } },
  options: {
    build: { value: 'BUILD', summary: 'the build that it stands on' },
    format: {
      value: 'FORMAT',
      choices: ['text', 'html'],
      fallback: 'text',
      summary: 'its body as text, or as the HTML of the service',
    },
  },
  examples: [
    'cictl annotations view lint --build hello/3',
    'cictl annotations view default --build latest --format html',
  ],
  resource: annotation,
});
