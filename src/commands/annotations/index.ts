import { annotation } from '../../api/resources/annotation.ts';
import { command } from '../../command/command.ts';
import { webFlags } from '../web-flags.ts';

const annotationStyles = ['success', 'info', 'warning', 'error'] as const;

export const annotate = command({
  name: 'annotate',
  summary: 'Add an annotation to a build',
  details:
    'Without BODY or --file, the body is read from standard input. Inside a job, --build defaults to the build of that job.',
  arguments: { body: { summary: 'Markdown or HTML; - for standard input' } },
  options: {
    file: { value: 'FILE', summary: 'read the body from a file' },
    style: { value: 'STYLE', choices: annotationStyles, summary: 'style of the annotation' },
    context: {
      value: 'TEXT',
      suggests: 'contexts',
      fallback: 'default',
      summary: 'key of the annotation; a build has one annotation per context',
    },
    priority: {
      value: 'N',
      type: 'integer',
      fallback: '3',
      summary: 'priority from 1 to 10; 10 is shown first',
    },
    append: { summary: 'append to the existing annotation with this context' },
    build: { value: 'BUILD', suggests: 'builds', summary: 'build to annotate' },
  },
  examples: [
    'cictl annotate "All **green**" --style success --build hello/3',
    'make report | cictl annotate --style warning --context lint --append',
  ],
  resource: annotation,
  mutates: true,
});

export const annotationsCreate = command({
  ...annotate,
  name: 'annotations create',
  examples: [
    'cictl annotations create "All **green**" --style success --build hello/3',
    'make report | cictl annotations create --style warning --context lint --append',
  ],
});

export const annotationsList = command({
  name: 'annotations list',
  summary: 'List annotations on a build',
  arguments: {
    build: { suggests: 'builds', summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or a URL' },
  },
  options: {
    style: {
      value: 'STYLE',
      choices: annotationStyles,
      repeat: true,
      summary: 'filter by style',
    },
    context: {
      value: 'TEXT',
      suggests: 'contexts',
      summary: 'filter by context',
    },
  },
  examples: ['cictl annotations list hello/3', 'cictl annotations list latest --style error'],
  resource: annotation,
  paged: true,
});

export const annotationsView = command({
  name: 'annotations view',
  summary: 'Show the body of an annotation',
  arguments: {
    context: { suggests: 'contexts', summary: 'context of the annotation', required: true },
  },
  options: {
    build: { value: 'BUILD', suggests: 'builds', summary: 'build that the annotation belongs to' },
    format: {
      value: 'FORMAT',
      choices: ['text', 'html'],
      fallback: 'text',
      summary: "body as text, or the service's HTML",
    },
    ...webFlags,
  },
  examples: [
    'cictl annotations view lint --build hello/3',
    'cictl annotations view default --build latest --format html',
  ],
  resource: annotation,
  paged: true,
});
