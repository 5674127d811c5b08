const REACHED =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary, [tabindex]'
/** Where the keyboard goes on in a new page: what it says first, else its heading. */
const ARRIVAL = '[data-arrival], h1'

/**
 * Keeps the keyboard's focus: where its holder goes, it moves to what came in its place or stands behind it in the
 * section, else to the last before it or the heading; on a new page to its heading. Else browsers begin at the top
 * again, and screen readers say nothing. A mouse is not followed. Returns what ends it.
 */
export function keepFocus(root: HTMLElement): () => void {
  /** Undefined: nothing to keep. */
  let held: ReturnType<typeof heldBy> | undefined
  /** The focus is to go to a page that is still to come. */
  let waits = false
  const hold = ({ target }: FocusEvent): void => {
    waits = false
    // Only the page focuses a heading.
    const isKept = target instanceof Element && (target.matches(':focus-visible') || target.matches(ARRIVAL))
    held = isKept ? heldBy(target) : undefined
  }
  // A click beside everything drops the focus on purpose. What is taken away is out of the page by then.
  const leave = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget === null) queueMicrotask(() => isLost() && held?.element.isConnected && (held = undefined))
  }
  const observer = new MutationObserver(() => {
    if (isLost() && (waits || held?.element.isConnected === false)) waits = !focus(nextTo(held))
  })
  root.addEventListener('focusin', hold)
  root.addEventListener('focusout', leave)
  observer.observe(root, { childList: true, subtree: true })
  return () => {
    root.removeEventListener('focusin', hold)
    root.removeEventListener('focusout', leave)
    observer.disconnect()
  }
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/** With its surroundings from the inside out, and what is reachable before it, nearest first. */
function heldBy(element: Element) {
  const around: Element[] = []
  for (let one = element.closest('section, main'); one; one = one.parentElement?.closest('section, main') ?? null)
    around.push(one)
  return {
    element,
    around,
    before: reachable(document)
      .filter((one) => isBefore(one, element))
      .reverse(),
  }
}

const isBefore = (one: Element, other: Element): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

const reachable = (within: ParentNode): readonly HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(REACHED)].filter((one) => one.tabIndex >= 0 && one.checkVisibility())

/** Null: it is still to come. */
function nextTo(held: ReturnType<typeof heldBy> | undefined): HTMLElement | null {
  const place = held?.around.find((one) => one.isConnected)
  if (held === undefined || place === undefined) return document.querySelector<HTMLElement>(ARRIVAL)
  const before = held.before.find((one) => one.isConnected)
  const there = reachable(place)
  const next = there.find((one) => before === undefined || isBefore(before, one)) ?? there.at(-1)
  return next ?? place.querySelector<HTMLElement>('h1, h2, h3')
}

function focus(element: HTMLElement | null): boolean {
  if (element === null) return false
  if (!element.matches(REACHED)) element.tabIndex = -1
  element.focus({ preventScroll: element.matches('h1') })
  return true
}
