import { usageError } from '../../errors.ts';

/** Without a slash at the end. Code 2 for what is no address that others could add paths to. */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '';
  if (!isHttp)
    throw usageError(
      `--public-url takes an address such as https://ci.example.com, not ${JSON.stringify(text)}`,
    );
  if (url.username !== '' || url.password !== '')
    throw usageError('--public-url takes no user and no password');
  if (url.search !== '' || url.hash !== '')
    throw usageError(`--public-url takes neither ? nor #: ${JSON.stringify(text)}`);
  return url.href.replace(/\/+$/, '');
}
