/** Runs in the page. Returns one line per element that overflows the page or its box. */
export default function boxes() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const sideways =
    scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} > ${clientWidth}`] : [];
  const outside = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && (right > clientWidth + 1 || left < -1) && !isCut(element);
  });
  return [...sideways, ...outside.slice(0, 5).map((one) => `out of the page: ${nameOf(one)}`)];

  /** Whether the element is hidden on purpose, or an ancestor scrolls or clips it. */
  function isCut(element) {
    if (element.parentElement?.closest('svg')) return true;
    for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, position } = getComputedStyle(at);
      if (at !== element && overflowX !== 'visible') return true;
      if (position === 'absolute' && at.getBoundingClientRect().right < 0) return true;
    }
    return false;
  }

  function nameOf(element) {
    const label = [element.id && `#${element.id}`, ...element.classList].filter(Boolean).join('.');
    return `${element.localName} ${label} "${(element.textContent ?? '').trim().slice(0, 40)}"`;
  }
}
