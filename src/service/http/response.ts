export interface RouteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array> | null;
}

export const jsonType = 'application/json; charset=utf-8';

export const json = (
  value: unknown,
  status = 200,
  headers: RouteResponse['headers'] = {},
): RouteResponse => ({
  status,
  headers: { 'content-type': jsonType, ...headers },
  body: JSON.stringify(value),
});

export const bytes = (
  type: string,
  body: RouteResponse['body'],
  { status = 200, headers = {} }: Partial<Pick<RouteResponse, 'status' | 'headers'>> = {},
): RouteResponse => ({ status, headers: { 'content-type': type, ...headers }, body });

export const text = (body: string): RouteResponse => bytes('text/plain; charset=utf-8', body);

export const empty = (): RouteResponse => ({ status: 204, headers: {}, body: null });
