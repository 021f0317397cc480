// Renders annotations to HTML: CommonMark with GFM, sanitized to text, lists, tables, images and
// links (http, https, mailto, relative). Loaded when the first annotation is rendered.
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import sanitizeHtml from 'sanitize-html';
import { isCheapMarkdown, plainMarkdown } from './html.ts';

export const renderMarkdown = (source: string): string =>
  isCheapMarkdown(source) ? render(source) : plainMarkdown(source);

const render = (source: string): string =>
  sanitizeHtml(
    micromark(source, {
      // Raw HTML is safe here, because the sanitizer runs afterwards.
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [withoutTagFilter(gfmHtml())],
    }),
    policy,
  );

function withoutTagFilter(extension: HtmlExtension): HtmlExtension {
  const exit = Object.entries(extension.exit ?? {});
  const kept = exit.filter(([token]) => token !== 'htmlFlowData' && token !== 'htmlTextData');
  return { ...extension, exit: Object.fromEntries(kept) };
}

type HtmlExtension = ReturnType<typeof gfmHtml>;

const policy: sanitizeHtml.IOptions = {
  allowedTags: sanitizeHtml.defaults.allowedTags.concat([
    'img',
    'del',
    'ins',
    'details',
    'summary',
    'input',
  ]),
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
  // A link such as `//host/path` would use the scheme of the page, which may be http.
  allowProtocolRelative: false,
  // Removes all inputs except the checkboxes of task lists.
  exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs['type'] !== 'checkbox',
};
