import { annotation } from '../../api/resources/annotation.ts';
import { command } from '../../command/command.ts';
import { webFlags } from '../web-flags.ts';

const annotationStyles = ['success', 'info', 'warning', 'error'] as const;

export const annotate = command({
  name: 'annotate',
  summary: 'Put an annotation on a build',
  details:
    'Without BODY and --file the body is read from standard input. Inside a job it is that build.',
  arguments: { body: { summary: 'Markdown or HTML; - for standard input' } },
  options: {
    file: { value: 'FILE', summary: 'read the body from a file' },
    style: { value: 'STYLE', choices: annotationStyles, summary: 'how it looks' },
    context: {
      value: 'TEXT',
      suggests: 'contexts',
      fallback: 'default',
      summary: 'one annotation a context and build',
    },
    priority: {
      value: 'N',
      type: 'integer',
      fallback: '3',
      summary: '1 to 10, higher is shown first',
    },
    append: { summary: 'append to the annotation of the same context' },
    build: { value: 'BUILD', suggests: 'builds', summary: 'the build to annotate' },
  },
  examples: [
    'cictl annotate "All **green**" --style success --build hello/3',
    'make report | cictl annotate --style warning --context lint --append',
  ],
  resource: annotation,
  mutates: true,
});

/** The same command under its noun. */
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
  summary: 'List the annotations of a build',
  arguments: {
    build: { suggests: 'builds', summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' },
  },
  options: {
    style: {
      value: 'STYLE',
      choices: annotationStyles,
      repeat: true,
      summary: 'only annotations of this style',
    },
    context: {
      value: 'TEXT',
      suggests: 'contexts',
      summary: 'only the annotation of this context',
    },
  },
  examples: ['cictl annotations list hello/3', 'cictl annotations list latest --style error'],
  resource: annotation,
  paged: true,
});

export const annotationsView = command({
  name: 'annotations view',
  summary: 'Show what an annotation says',
  arguments: {
    context: { suggests: 'contexts', summary: 'the context of the annotation', required: true },
  },
  options: {
    build: { value: 'BUILD', suggests: 'builds', summary: 'the build that it stands on' },
    format: {
      value: 'FORMAT',
      choices: ['text', 'html'],
      fallback: 'text',
      summary: 'its body as text, or as the HTML of the service',
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
