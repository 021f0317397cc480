import { dropHidden } from '../../common/untrusted-text.ts';

/**
 * The address that a link may lead to: http, https, mailto, or relative to this page. Anything else, whatever
 * its disguise, another host without a scheme too, is `undefined`: a browser drops blanks and control characters before it looks for
 * the scheme, and so does this.
 */
export function safeAddress(address: string): string | undefined {
  const bare = dropHidden(address.replace(/[\x00-\x20\x7f-\x9f]/g, ''));
  if (bare === '' || /^[/\\]{2}/.test(bare)) return undefined;
  const scheme = /^[^/?#]*?:/.exec(bare)?.[0].toLowerCase();
  return scheme === undefined || safeSchemes.includes(scheme) ? bare : undefined;
}

const safeSchemes = ['http:', 'https:', 'mailto:'];
