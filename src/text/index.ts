export { cellText, csv } from './csv.js'
export { markdown, unmarked } from './markdown.js'
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
export { publishedMarkdown, publishedText } from './published.js'
export { type Column, aligned, widthOf } from './table.js'
export { pad, shorten, width } from './width.js'
