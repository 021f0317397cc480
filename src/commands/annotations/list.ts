import { annotation } from '../../api/resources/annotation.ts';
import { command } from '../../cli/command.ts';
import { annotationStyles } from './create.ts';

export const annotationsList = command({
  name: 'annotations list',
  summary: 'List the annotations of a build',
  arguments: { build: { summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' } },
  options: {
    style: { value: 'STYLE', choices: annotationStyles, summary: 'only annotations of this style' },
    context: { value: 'TEXT', summary: 'only the annotation of this context' },
  },
  examples: ['cictl annotations list hello/3', 'cictl annotations list latest --style error'],
  resource: annotation,
});
