// Responses never contain the values of secrets.
import type { StoredSecret } from '../../../store/tables/secrets.ts';
import { invalid, notFound } from '../../api-error.ts';
import { bodyReader } from '../../body-reader.ts';
import { iso } from '../../present/scalars.ts';
import { empty, json } from '../../response.ts';
import { admin, route, type Route } from '../../route.ts';
import { findOrganization } from './pipelines.ts';

const ofOrganization = '/local/v1/organizations/:org/secrets';

export const secretRoutes: readonly Route[] = [
  route('GET', ofOrganization, admin, ({ params }, service) =>
    json(service.store.secrets.list(findOrganization(service, params.org).id).map(present)),
  ),
  route('PUT', `${ofOrganization}/:key`, admin, async (call, service) => {
    const { id } = findOrganization(service, call.params.org);
    const members = bodyReader(await call.body());
    const value = members.required('value');
    members.done();
    const { key } = call.params;
    if (!/^[A-Za-z_]\w*$/.test(key)) throw invalid({ field: 'key', code: 'invalid' });
    const secret = { id: service.newId(), key, value, changedAt: service.clock.now() };
    service.store.secrets.put(id, secret);
    return json(present(secret));
  }),
  route('DELETE', `${ofOrganization}/:key`, admin, ({ params }, service) => {
    const { id } = findOrganization(service, params.org);
    if (!service.store.secrets.remove(id, params.key)) throw notFound('secret with this name');
    return empty();
  }),
];

const present = ({ key, changedAt }: StoredSecret): object => ({ key, updated_at: iso(changedAt) });
