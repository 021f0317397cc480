import { credential } from '../../api/send-request.ts';
import { isBuiltInProfile } from '../../config/setting-origins.ts';
import type { Settings } from '../../config/settings.ts';
import { acceptEncoding, decodeBody, readBodyText } from '../../http/body.ts';
import { urlBelow } from '../../http/url.ts';
import { withTimeLimit } from '../../common/clock.ts';
import type { Question, World } from './ask-service.ts';

/** Maximum time for completion in milliseconds */
export const longestRequest = 1000;

/**
 * Sends one request and returns the parsed JSON response. Does not follow redirects or retry.
 * Throws without a token or a valid response within `left` milliseconds.
 */
export async function request(
  { api, path, query }: Pick<Question, 'api' | 'path' | 'query'>,
  settings: Settings,
  left: number,
  { env, clock, nodeVersion, version }: World,
): Promise<unknown> {
  const { createNetworkTransport } = await import('../../http/network.ts');
  const transport = createNetworkTransport({
    env: isBuiltInProfile(settings) ? {} : env,
    nodeVersion,
  });
  const { baseUrl, agentUrl, token, agentToken } = settings;
  const send = async (signal: AbortSignal): Promise<unknown> => {
    const response = await transport.send({
      method: 'GET',
      url: urlBelow(api === 'rest' ? baseUrl : agentUrl, path, query),
      headers: {
        accept: 'application/json',
        'accept-encoding': acceptEncoding(undefined),
        authorization:
          api === 'rest' ? credential('Bearer', token) : credential('Token', agentToken),
        'user-agent': `cictl/${version}`,
      },
      signal,
      timeout: left,
    });
    const text = await readBodyText(decodeBody(response));
    if (response.status !== 200) throw new Error(`the service returned ${response.status}`);
    return JSON.parse(text);
  };
  try {
    const reason = new Error('timed out waiting for a response');
    return await withTimeLimit(send, { ms: left, clock, reason });
  } finally {
    await transport.close();
  }
}
