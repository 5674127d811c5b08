export { cellText, csv } from './csv.js'
export { markdown, unmarked, type Column, aligned, widthOf, publishedMarkdown, publishedText } from './table.js'
export * from './matches.js'
export {
  UNLIKE_MEANS,
  boundText,
  byteText,
  chance,
  counted,
  duration,
  minus,
  number,
  percent,
  signed,
  tableCell,
} from './numbers.js'
export { pad, shorten, width } from './width.js'
