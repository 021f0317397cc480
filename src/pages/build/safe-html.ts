import sanitizeHtml from 'sanitize-html';
import { safeAddress } from '../../log/html/link.ts';
import type { PageContext } from '../page-context.ts';

/**
 * HTML of a service with nothing but text, lists, tables and links in it, whatever that service has left:
 * no style, no script, no picture from elsewhere, no id that could be taken for one of the page.
 */
export const safeHtml = (html: string, link: PageContext['link']): string =>
  sanitizeHtml(html, {
    allowedTags,
    allowedAttributes,
    transformTags: {
      a: (_, { href = '', title = '' }) => ({
        tagName: 'a',
        attribs: { ...hrefOf(href, link), ...(title !== '' && { title }) },
      }),
      img: (_, { src = '', alt = '' }) => pictureOf(link(src), alt),
      input: (_, { checked }) => ({
        tagName: 'span',
        attribs: {},
        text: checked === undefined ? '☐' : '☑',
      }),
      ...Object.fromEntries(
        ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [
          tag,
          sanitizeHtml.simpleTransform('h3', {}),
        ]),
      ),
    },
    exclusiveFilter: ({ tag, text, mediaChildren }) =>
      needText.has(tag) && text.trim() === '' && mediaChildren.length === 0,
  });

const allowedTags = [
  ...sanitizeHtml.defaults.allowedTags,
  ...['img', 'del', 'ins', 'details', 'summary'],
];

const allowedAttributes = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
  ol: ['start'],
  details: ['open'],
};

/** Empty, they are nothing to read and something to stumble over. */
const needText: ReadonlySet<string> = new Set(['a', 'h3', 'summary', 'th']);

function hrefOf(href: string, link: PageContext['link']): { href?: string } {
  const own = link(href) ?? safeAddress(href);
  return own === undefined ? {} : { href: own };
}

/** One of this service, else its text: pages load nothing from elsewhere. */
const pictureOf = (src: string | undefined, alt: string): sanitizeHtml.Tag =>
  src?.startsWith('/') === true
    ? { tagName: 'img', attribs: { src, alt } }
    : { tagName: 'span', attribs: {}, text: alt };
