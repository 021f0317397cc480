/** What a running job asks for itself: another priority, a secret, a token of identity. */
import { setJobPriority } from '../../../domain/step-changes.ts';
import { keyOf } from '../../../scheduler/known-secrets.ts';
import { ApiError, notFound, refused } from '../../api-error.ts';
import { objectOf } from '../../body-reader.ts';
import { json } from '../../response.ts';
import type { Route } from '../../route.ts';
import { jobRoute } from './job-route.ts';

export const agentJobRoutes: readonly Route[] = [
  jobRoute('PUT', '/v3/jobs/:job', async (call, { engine, clock }, { buildId, jobId }) => {
    const members = Object.entries(objectOf(await call.body()));
    const other = members.find(([name]) => name !== 'priority')?.[0];
    if (other !== undefined)
      throw refused(`The attribute "${other}" of a job cannot be changed here (priority)`);
    const [, value] = members[0] ?? [];
    if (typeof value !== 'string') throw refused('The priority must be given as a text');
    engine.change(buildId, (tree) => setJobPriority(tree, jobId, value, clock.now()));
    return json({ id: jobId });
  }),
  jobRoute('GET', '/v3/jobs/:job/secrets', ({ query }, { engine, store }, own) => {
    const secrets = own.secrets();
    const wanted = query.get('key') ?? '';
    const key = keyOf(secrets, wanted);
    const value = key === undefined ? undefined : secrets[key];
    if (key === undefined || value === undefined) throw notFound(`secret "${wanted}"`);
    store.givenSecrets.add(own.buildId, key);
    // Before anybody can print it.
    engine.slots.find(({ jobId }) => jobId === own.jobId)?.running?.redact([value]);
    return json({ key, value, uuid: own.jobId });
  }),
  jobRoute('POST', '/v3/jobs/:job/oidc/tokens', () => {
    throw new ApiError(
      422,
      'No OIDC tokens are issued here: this service has no public address at which anybody could check one',
    );
  }),
];
