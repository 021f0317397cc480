/**
 * Runs in the page. Returns one line per thing that our pages never contain, so that untrusted text
 * must have injected it.
 */
export default function harm() {
  const strange = 'script:not([src^="/-/"]), iframe, object, embed, base, style, meta[http-equiv]';
  const found = [...document.querySelectorAll(`${strange}, math, template, video, audio`)];
  const lines = found.map((element) => `has ${element.outerHTML.slice(0, 80)}`);
  const ids = new Set();
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || (name === 'style' && !isColor(element)))
        lines.push(`${element.localName} has ${name}`);
      const isAddress = ['href', 'src', 'action', 'formaction', 'xlink:href'].includes(name);
      const { protocol } = new URL(isAddress ? value : '', document.baseURI);
      if (!['http:', 'https:', 'mailto:'].includes(protocol)) lines.push(`${name} is ${value}`);
    }
    if (element.id !== '' && ids.has(element.id)) lines.push(`two have the id ${element.id}`);
    ids.add(element.id);
  }
  for (const form of document.forms) {
    if (new URL(form.action).origin !== location.origin) lines.push(`sends to ${form.action}`);
    if (form.method === 'post' && form.elements.form_token?.type !== 'hidden')
      lines.push('a form without its token');
  }
  const { charset, forms, body } = document;
  if (charset !== 'UTF-8' || forms instanceof Element || body.localName !== 'body')
    lines.push('names of the document are taken');
  return lines;

  /** A log color that the script sets inline because style sheets do not list it. */
  function isColor(element) {
    const names = [...element.style];
    return element.closest('#log') && names.every((one) => /^(background-)?color$/.test(one));
  }
}
