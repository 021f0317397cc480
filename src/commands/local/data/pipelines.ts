import { command } from '../../../command/command.ts';
import { localPipeline } from '../resources.ts';
import { artifact } from '../../../api/resources/artifact.ts';

export const localPipelineAdd = command({
  name: 'local pipeline add',
  summary: 'Register a directory with a pipeline file',
  details:
    "Its repository is the checkout's remote (without credentials), or the directory if there is no\n" +
    'remote. Commands typed in the directory or below it find the pipeline.\n' +
    'With --restricted, other pipelines can trigger it, or read its artifacts, only if a rule allows it.',
  arguments: { dir: { summary: 'directory, a git checkout or not', required: true } },
  options: {
    slug: {
      value: 'SLUG',
      fallback: "made from the directory's name",
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

export const localPipelineList = command({
  name: 'local pipeline list',
  summary: 'List the pipelines of the built-in service',
  arguments: {},
  options: {},
  examples: ['cictl local pipeline list', 'cictl local pipeline list --fields slug,folder'],
  settings: 'optional',
  resource: localPipeline,
  paged: true,
});

export const localPipelineRemove = command({
  name: 'local pipeline remove',
  summary: 'Remove a pipeline with all its builds',
  details: 'Asks first. Its folder stays as it is.',
  arguments: {
    slug: { suggests: 'local pipelines', summary: 'slug of the pipeline', required: true },
  },
  options: {},
  examples: ['cictl local pipeline remove web', 'cictl local pipeline remove web --yes'],
  settings: 'optional',
});

export const localPipelineSet = command({
  name: 'local pipeline set',
  summary: 'Change settings of a pipeline',
  details:
    'Keys: description, default_branch, branch_configuration, skip_queued_branch_builds,\n' +
    'skip_queued_branch_builds_filter, cancel_running_branch_builds,\n' +
    'cancel_running_branch_builds_filter, provider.webhook_url, provider.settings.NAME.\n' +
    'An empty value takes a text away.',
  arguments: {
    slug: { suggests: 'local pipelines', summary: 'slug of the pipeline', required: true },
    settings: { summary: 'KEY=VALUE', required: true, variadic: true },
  },
  options: {},
  examples: [
    'cictl local pipeline set web default_branch=main',
    'cictl local pipeline set web provider.settings.build_tags=false',
  ],
  settings: 'optional',
  resource: localPipeline,
});

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
