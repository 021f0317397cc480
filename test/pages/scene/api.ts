import type { Service } from '../../../src/service/service.ts';

/** The service's API, by plain requests. What it refuses is thrown. */
export interface SceneApi {
  send<T>(method: string, path: string, body?: object): Promise<T>;
  /** Below `/local/v1`, as the administrator. */
  admin<T>(method: string, path: string, body?: object): Promise<T>;
}

export function apiOf({
  url,
  token,
  adminToken,
}: Pick<Service, 'url' | 'token' | 'adminToken'>): SceneApi {
  const request = async <T>(bearer: string, method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    send: (method, path, body) => request(token, method, path, body),
    admin: (method, path, body) => request(adminToken, method, `/local/v1${path}`, body),
  };
}
