import { json, resource, text, texts } from '../../api/resources/resource.ts';
import type { Handler } from '../../command/command.ts';
import { withService } from './with-service.ts';
import type { localTokenCreate } from './index.ts';

const token = resource({
  name: 'token',
  plural: 'tokens',
  members: { token: text(), uuid: text(), scopes: texts(), organizations: texts(), user: json() },
  columns: [{ path: 'token', heading: 'TOKEN' }],
  detail: ['token'],
});

/** `cictl local token create`: beside `auth token` the only command that prints a token. */
export const createToken: Handler<typeof localTokenCreate> = async (input, context) => {
  const { out } = context;
  await out.check(token);
  const { user, org, scope, description } = input;
  const body = {
    ...(user === undefined ? {} : { user }),
    ...(org.length > 0 && { organizations: org }),
    ...(scope.length > 0 && { scopes: scope }),
    ...(description === undefined ? {} : { description }),
  };
  const made = await withService(context, (call) => call('POST', '/tokens', body));
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(token, made as object);
  await out.line((made as { token: string }).token);
};
