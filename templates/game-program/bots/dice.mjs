/** Bids any card. `chance` is the bot's own, drawn from the match's seed: it plays the same again. */
export default (view, chance, legal) => legal[chance.below(legal.length)]
