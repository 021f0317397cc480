import open from 'open';

/** Opens an address in the browser of the platform; rejects where there is none. */
export async function openUrl(url: string): Promise<void> {
  await open(url);
}
