/** A job by its id alone, as the built-in service knows it whatever its build. */
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { readBodyText } from '../../http/read-body.ts';

/** Members that the API has for every job. */
export interface KnownJob {
  readonly type: string;
  /** REST address. */
  readonly build_url: string;
}

/** That of the organization in use. Code 7 where there is none. */
export async function knownJob(id: string, context: Context): Promise<KnownJob> {
  const { org = 'local' } = context.settings;
  const service = await context.client();
  const response = await service.raw({
    method: 'GET',
    path: `/v2/organizations/${org}/jobs/${id.toLowerCase()}`,
  });
  const text = await readBodyText(response);
  if (response.status === 404)
    throw new CictlError('not_found', `no job "${id}"`, {
      status: 404,
      hint: 'cictl job list PIPELINE/N',
    });
  if (response.failure !== undefined) throw response.failure();
  return JSON.parse(text) as KnownJob;
}
