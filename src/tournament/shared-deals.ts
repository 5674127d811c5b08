import type { FormatSpec } from '../core/index.js'

/**
 * Whether a format plays a deal of luck again with the same entrants and the seats changed, as a rule in the same series. A bot that
 * remembers the match before then knows what the next one hides.
 */
export function sharesDeals({ kind, swap, repetitions, playoff, settle }: FormatSpec): boolean {
  if (kind === 'free-for-all' || kind === 'heats') return false
  if (kind === 'groups' || kind === 'ordered-pairs') return true
  // An elimination's playoff goes on with the deals of its duel; a ladder's meeting is both orders of a deal.
  const matches = repetitions + (kind === 'elimination' ? playoff : 0)
  return swap && (matches > 1 || settle !== undefined || kind === 'ladder')
}
