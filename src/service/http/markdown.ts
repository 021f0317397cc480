/**
 * Annotation bodies as HTML: CommonMark with GFM, then everything that could act taken out: no
 * script, no style, no handlers, links to http, https, mailto and relative addresses alone.
 * What would take long is shown as the text that it is. Loaded with the first annotation.
 */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import sanitizeHtml from 'sanitize-html';
import { isCheapMarkdown, plainMarkdown } from './html.ts';

export const renderMarkdown = (source: string): string =>
  isCheapMarkdown(source) ? render(source) : plainMarkdown(source);

const render = (source: string): string =>
  sanitizeHtml(
    micromark(source, {
      // Bodies may be HTML; the sanitiser decides what is left of it.
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [withoutTagFilter(gfmHtml())],
    }),
    policy,
  );

/** GFM's own filter shows a script as text; here the sanitiser takes it away as a whole. */
function withoutTagFilter(extension: HtmlExtension): HtmlExtension {
  const exit = Object.entries(extension.exit ?? {});
  const kept = exit.filter(([token]) => token !== 'htmlFlowData' && token !== 'htmlTextData');
  return { ...extension, exit: Object.fromEntries(kept) };
}

type HtmlExtension = ReturnType<typeof gfmHtml>;

const policy: sanitizeHtml.IOptions = {
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags,
    'img',
    'del',
    'ins',
    'details',
    'summary',
    'input',
  ],
  allowedAttributes: {
    a: ['href', 'title', 'name', 'id'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    input: [{ name: 'type', multiple: false, values: ['checkbox'] }, 'checked', 'disabled'],
    code: [{ name: 'class', multiple: false, values: [] }],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan'],
    ol: ['start'],
    details: ['open'],
  },
  allowedClasses: { code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  // `//host/path` takes the scheme of the page, which is http or https.
  allowProtocolRelative: false,
  // Other inputs than the boxes of task lists are no part of a text.
  exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs['type'] !== 'checkbox',
};
