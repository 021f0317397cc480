import type { ServiceContext } from '../../../service-context.ts';
import type { PipelineUpload } from '../../../scheduler/upload-pipeline.ts';
import { refused } from '../../api-error.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { json } from '../../response.ts';
import type { Route } from '../../route.ts';
import { jobRoute, type OwnJob } from './job-route.ts';

export const agentPipelineRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/jobs/:job/pipelines', async (call, service, own) => {
    const body = objectOf(await call.body());
    const members = bodyReader(body);
    const uuid = members.required('uuid');
    const replace = members.flag('replace');
    members.done();
    const { pipeline } = body;
    if (typeof pipeline !== 'object' || pipeline === null) throw refused('pipeline is required');
    // Variables are not interpolated here, because the agent has already done that.
    const text = jsonOf(pipeline);
    await once(service, own, uuid, { text, file: 'pipeline', env: null, replace });
    return json({});
  }),
  jobRoute('POST', '/local/v1/job/pipelines', async (call, service, own) => {
    const { uuid, upload } = readUpload(await call.body());
    await once(service, own, uuid, upload);
    return json({});
  }),
  jobRoute('POST', '/local/v1/job/pipelines/dry-run', async (call, service, own) => {
    const { upload, format } = readUpload(await call.body());
    const { showUpload } = await import('../../../scheduler/upload-pipeline.ts');
    return json({ text: await showUpload(service, own.buildId, upload, format) });
  }),
];

/** Throws `ApiError` 422 if the pipeline is nested too deeply. */
function jsonOf(pipeline: object): string {
  try {
    return JSON.stringify(pipeline);
  } catch {
    throw refused('The pipeline is nested too deeply');
  }
}

function readUpload(body: unknown) {
  const members = bodyReader(body);
  const uuid = members.required('uuid');
  const text = members.required('text');
  const file = members.text('file') ?? 'pipeline';
  const env = members.map('env');
  const replace = members.flag('replace');
  const isLiteral = members.flag('literal');
  const format = members.choice('format', ['json', 'yaml']) ?? 'json';
  const changes = {
    areIgnored: members.flag('ignore_changes'),
    base: members.text('diff_base'),
    files: members.texts('changed_files'),
  };
  members.done();
  return { uuid, format, upload: { text, file, replace, env: isLiteral ? null : env, changes } };
}

/** Uploads in progress, keyed by job and by the ID that the agent repeats when it retries. */
const uploads = new WeakMap<ServiceContext, Map<string, Promise<void>>>();

/** A repeated request returns the result of the first request. */
async function once(
  service: ServiceContext,
  own: OwnJob,
  uuid: string,
  upload: PipelineUpload,
): Promise<void> {
  const pending = uploads.get(service) ?? new Map<string, Promise<void>>();
  uploads.set(service, pending);
  const name = JSON.stringify([own.jobId, uuid]);
  const apply = async (): Promise<void> => {
    const { uploadPipeline } = await import('../../../scheduler/upload-pipeline.ts');
    await uploadPipeline(service, { ...own, uuid }, upload);
  };
  const applied = pending.get(name) ?? apply();
  pending.set(name, applied);
  try {
    await applied;
  } finally {
    pending.delete(name);
  }
}
