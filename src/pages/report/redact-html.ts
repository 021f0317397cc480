import { escapeHtml } from '../../log/html/markup.ts';

/**
 * HTML of ours with its texts and the values of its attributes as `redact` leaves them. What colours, links and
 * the like stand within is looked through as one text; where something in it was replaced, it has none of them.
 */
export function redactHtml(html: string, redact: (text: string) => string): string {
  return mayHold(html, redact) ? redactRuns(html, redact) : html;
}

/** A quick look at all texts as one, and at all attributes: nearly nothing has a secret. */
const mayHold = (html: string, redact: (text: string) => string): boolean =>
  [html.replace(/<[^<>]*>/g, ''), html].map(unescape).some((text) => redact(text) !== text);

function redactRuns(html: string, redact: (text: string) => string): string {
  let done = '';
  let run: string[] = [];
  let at = 0;
  for (const { 0: tag, index } of html.matchAll(tags)) {
    run.push(html.slice(at, index));
    at = index + tag.length;
    const shown = tag === '\n' ? tag : redactTag(tag, redact);
    if (isInline.test(tag)) run.push(shown);
    else {
      done += redactRun(run, redact) + shown;
      run = [];
    }
  }
  return done + redactRun([...run, html.slice(at)], redact);
}

/** A line ends a text, and so does the number before one. */
const tags = /\n|<(?:div|summary)\b[^<>]*><i>\d+<\/i>|<[^<>]*>/g;

const isInline =
  /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|u|var|wbr)\b[^<>]*>$/;

/** Texts, and between each two of them a tag. */
function redactRun(run: readonly string[], redact: (text: string) => string): string {
  const text = unescape(run.filter((_, at) => at % 2 === 0).join(''));
  const redacted = redact(text);
  if (redacted === text) return run.join('');
  const first = run.findIndex((piece, at) => at % 2 === 0 && piece !== '');
  return run
    .map((piece, at) => (at % 2 === 1 ? piece : at === first ? escapeHtml(redacted) : ''))
    .join('');
}

const redactTag = (tag: string, redact: (text: string) => string): string =>
  tag.includes('=')
    ? tag.replace(/="([^"]*)"/g, (whole, value: string) => {
        const text = unescape(value);
        const redacted = redact(text);
        return redacted === text ? whole : `="${escapeHtml(redacted)}"`;
      })
    : tag;

const unescape = (html: string): string =>
  html.includes('&')
    ? html.replace(
        /&(amp|lt|gt|quot|#39);/g,
        (whole, name: string) => characters.get(name) ?? whole,
      )
    : html;

const characters: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
]);
