import sanitizeHtml from 'sanitize-html';
import { cleanMarkup } from '../../common/untrusted-text.ts';
import { safeAddress } from '../../log/html/markup.ts';
import type { PageContext } from '../page-context.ts';
import { deepest, shallowHtml } from './shallow-html.ts';
import { wellPlaced } from './well-placed.ts';
import { withEmojis } from './with-emojis.ts';

/**
 * HTML of a service with nothing but text, lists, tables and links in it, whatever that service has left:
 * no style, no script, no picture from elsewhere, no id that could be taken for one of the page. What is deep
 * to the parser alone is its text.
 */
export function safeHtml(html: string, link: PageContext['link']): string {
  try {
    return cleaned(shallowHtml(html), link);
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    return cleaned(html.replace(/<[^<>]*>/g, '').replaceAll('<', '&lt;'), link);
  }
}

const cleaned = (html: string, link: PageContext['link']): string =>
  withEmojis(
    wellPlaced(
      cleanMarkup(
        sanitizeHtml(html, {
          ...depthGuard(),
          allowedTags,
          allowedAttributes,
          transformTags: {
            ...Object.fromEntries(
              headings.map((tag) => [tag, sanitizeHtml.simpleTransform('h3', {}, false)]),
            ),
            a: (_, { href = '', title = '' }) => ({
              tagName: 'a',
              attribs: { ...hrefOf(href, link), ...(title !== '' && { title }) },
            }),
            img: (_, { src = '', alt = '' }) => pictureOf(link(src), alt),
            input: (_, { type, checked }) => boxOf(type, checked !== undefined),
          },
          exclusiveFilter: ({ tag, text, mediaChildren }) =>
            needText.has(tag) && text.trim() === '' && mediaChildren.length === 0,
        }),
      ),
    ),
  );

/** What looks like an end may be none, in a comment or in an attribute: the parser alone knows how deep it is. */
function depthGuard(): Pick<sanitizeHtml.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  return {
    onOpenTag() {
      depth += 1;
      if (depth > 2 * deepest) throw new TooDeepError();
    },
    onCloseTag() {
      depth -= 1;
    },
  };
}

class TooDeepError extends Error {}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** What marks up text, and none of the parts of a page. */
const allowedTags = [
  'a abbr b bdi bdo blockquote br cite code del details dfn div em h3 hr i img ins kbd li mark ol p',
  'pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var wbr',
].flatMap((names) => names.split(' '));

const allowedAttributes = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
  ol: ['start'],
  details: ['open'],
};

/** Empty, they are nothing to read and something to stumble over. */
const needText: ReadonlySet<string> = new Set(['a', 'summary', 'th', ...headings]);

function hrefOf(href: string, link: PageContext['link']): { href?: string } {
  const own = link(href) ?? safeAddress(href);
  return own === undefined ? {} : { href: own };
}

/** One of this service, else its text: pages load nothing from elsewhere. */
const pictureOf = (src: string | undefined, alt: string): sanitizeHtml.Tag =>
  src?.startsWith('/') === true
    ? { tagName: 'img', attribs: { src, alt } }
    : { tagName: 'span', attribs: {}, text: alt };

/** The boxes of a list of tasks; no other input is a part of a text. */
const boxOf = (type: string | undefined, isChecked: boolean): sanitizeHtml.Tag =>
  type === 'checkbox'
    ? { tagName: 'span', attribs: {}, text: isChecked ? '☑' : '☐' }
    : { tagName: 'nothing', attribs: {} };
