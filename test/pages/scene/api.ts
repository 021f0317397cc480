import type { Service } from '../../../src/service/service.ts';

/** Calls the service's API with plain requests. Throws if a request is rejected. */
export interface SceneApi {
  send<T>(method: string, path: string, body?: object): Promise<T>;
  /** Calls a path below `/local/v1` as administrator. */
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
