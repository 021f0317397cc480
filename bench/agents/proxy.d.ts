/** The parts of `proxy.js` that tests call. */
export type Fate = 'lost' | 'unheard' | 'repeated' | number | undefined;

interface Proxy {
  readonly url: string;
  readonly counts: Readonly<Record<string, number>>;
  cut(): void;
  join(): void;
  lead(url: string): void;
  close(): void;
}

export function startProxy(
  target: string,
  fateOf?: (method: string, path: string) => Fate,
): Promise<Proxy>;
