import { escapeHtml } from '../../log/html/markup.ts';

/** Redacts HTML that cictl created. Redacted text loses its inline markup. */
export function redactHtml(html: string, redact: (text: string) => string): string {
  return mayHold(html, redact) ? redactRuns(html, redact) : html;
}

/** Secrets are rare, so all text is checked at once first. */
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

/** Each piece of text ends at a newline or a line number. */
const tags = /\n|<(?:div|summary)\b[^<>]*><i>\d+<\/i>|<[^<>]*>/g;

const isInline =
  /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|u|var|wbr)\b[^<>]*>$/;

/** The elements of `run` alternate between text and tags. */
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
  tag.replace(/="([^"]*)"/g, (whole, value: string) => {
    const text = unescape(value);
    const redacted = redact(text);
    return redacted === text ? whole : `="${escapeHtml(redacted)}"`;
  });

const unescape = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof characters) => characters[name]);

const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
