import sanitizeHtml from 'sanitize-html';
import { cleanMarkup } from '../../common/untrusted-text.ts';
import { safeAddress } from '../../log/html/markup.ts';
import type { PageContext } from '../page-document.tsx';
import { deepest, shallowHtml, voidElements } from './shallow-html.ts';
import { emojiAt } from '../../log/html/write-text.ts';

/** Sanitizes HTML: keeps text, lists, tables and links. HTML nested too deeply becomes text. */
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

/** Counts the depth while parsing, because a tag may also occur in a comment or an attribute. */
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

const needText: ReadonlySet<string> = new Set(['a', 'summary', 'th', ...headings]);

function hrefOf(href: string, link: PageContext['link']): { href?: string } {
  const own = link(href) ?? safeAddress(href);
  return own === undefined ? {} : { href: own };
}

/** Pages load nothing from other hosts, so external images become their alternative text. */
const pictureOf = (src: string | undefined, alt: string): sanitizeHtml.Tag =>
  src?.startsWith('/') === true
    ? { tagName: 'img', attribs: { src, alt } }
    : { tagName: 'span', attribs: {}, text: alt };

/** Replaces task list checkboxes with characters and removes all other inputs. */
const boxOf = (type: string | undefined, isChecked: boolean): sanitizeHtml.Tag =>
  type === 'checkbox'
    ? { tagName: 'span', attribs: {}, text: isChecked ? '☑' : '☐' }
    : { tagName: 'nothing', attribs: {} };

/** Removes misplaced tags, such as list items outside a list. Tags must be closed in order. */
function wellPlaced(html: string): string {
  /** The names of the open elements, or '' for tags that were removed. */
  const open: string[] = [];
  return html.replace(
    /<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g,
    (tag, slash: string, name: string, rest: string) => {
      if (slash !== '') return open.pop() === '' ? '' : tag;
      const parent = open.findLast((one) => one !== '') ?? '';
      const isPlaced = parentsOf[name]?.includes(parent) ?? !onlyEntries.includes(parent);
      if (!voidElements.has(name) && !rest.endsWith('/')) open.push(isPlaced ? name : '');
      return isPlaced ? tag : '';
    },
  );
}

const parentsOf: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  tr: ['table', 'thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  summary: ['details'],
};

const onlyEntries = ['ul', 'ol', 'table', 'thead', 'tbody', 'tfoot', 'tr'];

/** Replaces `:rocket:` with an emoji, except in code. Requires tags to be closed in order. */
export function withEmojis(html: string): string {
  let verbatim = 0;
  return html
    .split(/(<[^>]*>)/)
    .map((piece) => {
      const [, slash, tag] = /^<(\/?)(code|pre|kbd|samp)\b/.exec(piece) ?? [];
      if (tag !== undefined) verbatim += slash === '' ? 1 : -1;
      return verbatim > 0 || piece.startsWith('<') ? piece : inText(piece);
    })
    .join('');
}

/** A shortcode must be at the start of a word or after a bracket. */
const inText = (text: string): string =>
  text.replace(/(?<![^\s([]):[\w+-]+:/g, (code, at: number) => {
    const bytes = Buffer.from(text.slice(at, at + code.length + 1));
    const emoji = emojiAt(bytes, 0);
    return emoji === undefined ? code : Buffer.from(emoji.markup).toString();
  });
