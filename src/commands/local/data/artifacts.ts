import { artifact } from '../../../api/resources/artifact.ts';
import { command } from '../../../command/command.ts';

export const localArtifacts = command({
  name: 'local artifacts',
  summary: 'List the artifacts of a build',
  details: 'A star of GLOB goes into folders too: dist/* is all below dist.',
  arguments: {
    build: {
      suggests: 'builds',
      summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address',
      required: true,
    },
    glob: { summary: 'only those whose path fits' },
  },
  options: {},
  examples: ['cictl local artifacts hello/3', "cictl local artifacts hello/latest '*.xml'"],
  settings: 'optional',
  resource: artifact,
});

export const localArtifactsDownload = command({
  name: 'local artifacts download',
  summary: 'Write the artifacts of a build to files',
  details: 'Each under its path; of several with the same path the last one.',
  arguments: localArtifacts.arguments,
  options: {
    out: { short: 'O', value: 'DIR', fallback: 'this one', summary: 'the folder to write to' },
  },
  examples: [
    'cictl local artifacts download hello/3 -O out',
    "cictl local artifacts download hello/latest 'dist/*'",
  ],
  settings: 'optional',
});
