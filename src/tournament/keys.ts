/** Keys of series and matches: '1/Ant-Bee/3' is the third match of Ant and Bee in round 1. Names stand in alphabetical order. */

/** The key of a series: the round ('1', 'playoff-1') and its entrants' names in any order. */
export function seriesKey(round: string, names: readonly string[]): string {
  return `${round}/${[...names].sort().map(written).join('-')}`
}

/** `number`: in the series, from 1. */
export function matchKey(series: string, number: number): string {
  return `${series}/${number}`
}

export function playoffPart(number: number): string {
  return `playoff-${number}`
}

/** Whether a match is of a playoff, which decides a tie and changes no points. */
export function isPlayoff(key: string): boolean {
  return key.startsWith('playoff-')
}

/** A name without key separators and terminal controls: no two are written alike. */
function written(name: string): string {
  return name.replace(
    /[-/%\x00-\x20\x7f-\x9f]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
