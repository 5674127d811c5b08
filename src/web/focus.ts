const REACHED =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary, [tabindex]'
/** Where the keyboard goes on where another page has come: what a page says first, or else its heading. */
const ARRIVAL = '[data-arrival], h1'

/**
 * Keeps the keyboard's focus in the page: where what has it is taken away, it goes to what has come in its place, to what stands beside
 * it, or else to the heading above; where the whole page has changed, to the page's heading. Without this a browser begins at the top
 * again, and a screen reader says nothing. A mouse is not followed. Returns what ends it.
 */
export function keepFocus(root: HTMLElement): () => void {
  /** What had the focus last, and all around it, from the inside out; empty: nothing that need be kept. */
  let around: readonly Element[] = []
  /** The focus is to go to a page that is still to come. */
  let waits = false
  const hold = ({ target }: FocusEvent): void => {
    waits = false
    around = target instanceof Element && isKept(target) ? chainOf(target) : []
  }
  // A click beside everything takes the focus away on purpose. What is taken away is no longer in the page by then.
  const leave = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget === null) queueMicrotask(() => isLost() && around[0]?.isConnected === true && (around = []))
  }
  const observer = new MutationObserver((changes) => {
    if (!isLost()) return
    if (waits) waits = !arrive()
    else if (around[0]?.isConnected === false) waits = !settle(root, around, changes)
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
/** A heading has the focus only because a page gave it. */
const isKept = (one: Element): boolean => one.matches(':focus-visible') || one.matches(ARRIVAL)

function chainOf(inner: Element): readonly Element[] {
  const chain: Element[] = []
  for (let one: Element | null = inner; one !== null; one = one.parentElement) chain.push(one)
  return chain
}

/** Moves the focus to what is nearest to where it was. False: that is still to come. */
function settle(root: Element, around: readonly Element[], changes: readonly MutationRecord[]): boolean {
  const at = around.findIndex((one) => one.isConnected)
  const place = around[at]
  const gone = around[at - 1]
  if (place === undefined || gone === undefined || place === root || place.closest('main') === null) return arrive()
  const change = changes.find(({ removedNodes }) => [...removedNodes].includes(gone))
  const before = change?.previousSibling?.isConnected === true ? change.previousSibling : undefined
  let inner: Node | undefined = before
  for (let one: Element | null = place; one !== null && one.tagName !== 'MAIN'; one = one.parentElement) {
    const found = nearest(one, inner)
    if (found !== undefined) return focus(found)
    const heading = one.tagName === 'SECTION' ? one.querySelector('h2, h3') : null
    if (heading !== null) return focus(heading)
    inner = one
  }
  return arrive()
}

/** The first within an element that follows a part of it, or else the last before that. */
function nearest(within: Element, part: Node | undefined): Element | undefined {
  const all = [...within.querySelectorAll<HTMLElement>(REACHED)].filter(
    (one) => one.tabIndex >= 0 && one.checkVisibility() && part?.contains(one) !== true,
  )
  if (part === undefined) return all[0]
  const follows = (one: Node): boolean => (part.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return all.find(follows) ?? all.at(-1)
}

function arrive(): boolean {
  const found = document.querySelector(ARRIVAL)
  return found !== null && focus(found)
}

function focus(one: Element): true {
  if (one instanceof HTMLElement) {
    if (!one.matches(REACHED)) one.tabIndex = -1
    one.focus({ preventScroll: one.matches('h1') })
  }
  return true
}
