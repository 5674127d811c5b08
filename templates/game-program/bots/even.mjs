/** Bids as much as the prize is worth, or the next card above it, or the highest. */
export default ({ prize, hand }) => String(hand.find((card) => card >= prize) ?? Math.max(...hand))
