/** Calls the API directly, without our client. */
import type { Service } from '../../src/service/start-service.ts';

export interface RestReply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly list: readonly Readonly<Record<string, unknown>>[];
}

export type Caller = ReturnType<typeof createCaller>;

export function createCaller({ url, token, agentToken }: Service) {
  const send = async (method: string, path: string, body?: object): Promise<RestReply> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const content = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${url}${path}`, { method, headers, body: content });
    const text = await response.text();
    return {
      status: response.status,
      get json() {
        return JSON.parse(text) as RestReply['json'];
      },
      get list() {
        return JSON.parse(text) as RestReply['list'];
      },
    };
  };
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: object) => send('POST', path, body),
    put: (path: string, body?: object) => send('PUT', path, body),
    async metrics(): Promise<unknown> {
      const headers = { authorization: `Token ${agentToken}` };
      return (await fetch(`${url}/v3/metrics`, { headers })).json();
    },
    /** Returns the data of a query without errors. */
    async graphql(query: string, variables: object = {}): Promise<unknown> {
      const { json } = await send('POST', '/v1', { query, variables });
      if (json['errors'] !== undefined) throw new Error(JSON.stringify(json['errors']));
      return json['data'];
    },
  };
}
