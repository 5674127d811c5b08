export { cellText, csv } from './csv.js'
export {
  markdown,
  unmarked,
  type Column,
  aligned,
  escaped,
  htmlPage,
  htmlTable,
  widthOf,
  publishedMarkdown,
  publishedText,
} from './table.js'
export * from './matches.js'
export { standingsCsv, standingsMarkdown, standingsText } from './standings.js'
export {
  DOUBTS,
  type Doubt,
  boundText,
  byteText,
  chance,
  counted,
  duration,
  listed,
  minus,
  number,
  percent,
  placesNote,
  signed,
  tableCell,
} from './numbers.js'
export { pad, shorten, width } from './width.js'
