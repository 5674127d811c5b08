import { visible } from '../core/index.js'
import { number } from '../text/index.js'

/** Figures that a bot printed in a match, in a line: 'printed, mean of the match: eval 0.31'. */
export const printedText = (printed: readonly { readonly figure: string; readonly mean: number }[]): string =>
  `printed, mean of the match: ${printed.map(({ figure, mean }) => `${visible(figure)} ${number(mean)}`).join(', ')}`
