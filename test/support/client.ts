import { createNetworkTransport } from '../../src/http/network.ts';
import { createClient, type Client } from '../../src/api/client.ts';
import type { Clock } from '../../src/common/clock.ts';
import type { ClientOptions } from '../../src/api/send-request.ts';
import { timeLimit } from './time-limit.ts';

/** Messages that the client reported. */
export interface TestClient extends Client {
  readonly notices: string[];
  readonly debugLines: string[];
}

/** A real client for a test server, without jitter; waits on the given clock. */
export function testClient(
  url: string,
  clock: Clock,
  options: Partial<ClientOptions> = {},
): TestClient {
  const notices: string[] = [];
  const debugLines: string[] = [];
  const client = createClient({
    ...{ baseUrl: url, agentUrl: url, graphqlUrl: url },
    ...{ token: 'token-of-the-test', agentToken: 'agent-token-of-the-test' },
    ...{ requestTimeout: timeLimit, maxWait: 120_000, userAgent: 'cictl/test' },
    ...{ clock, random: () => 0.5, signal: new AbortController().signal },
    transport: createNetworkTransport({ env: {}, nodeVersion: process.versions.node }),
    notice: (line) => notices.push(line),
    debug: (line) => debugLines.push(line),
    ...options,
  });
  return { ...client, notices, debugLines };
}

/** Collects all elements of an async iterable. */
export async function all<T>(elements: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const element of elements) list.push(element);
  return list;
}
