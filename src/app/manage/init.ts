import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Message, UserError, command, didYouMean, message, visible } from '../../core/index.js'
import { houseBots } from '../../contest/index.js'
import { games } from '../../games/index.js'
import { FORMATS, formatOf } from '../../tournament/index.js'

export interface ContestAnswers {
  readonly title: string
  readonly game: string
  readonly format: string
  readonly repetitions: number
  readonly house: readonly string[]
}

/** What a contest may be: the games with their house bots, and the formats that suit each, the usual one first. Those that need more than five answers are left out. */
export const contestsThere = games.map((definition) => {
  const { id, seats } = definition.game
  const many = (seats.max ?? 2) > 2
  const formats = FORMATS.filter(({ hint, sizes }) => hint !== undefined && (sizes !== undefined) === many)
  return { id, title: definition.title, formats, house: () => houseBots(definition).map(({ spec }) => spec.name) }
})

/** What there is for a game. Throws UserError for one that agon does not have. */
export function contestsOf(game: string) {
  const found = contestsThere.find(({ id }) => id === game)
  if (found !== undefined) return found
  const ids = contestsThere.map(({ id }) => id)
  throw new UserError(`no game "${game}"${didYouMean(game, ids)}; there are ${ids.join(', ')}`)
}

export const hasRounds = (format: string): boolean => formatOf(format).keys.includes('rounds')

/** Throws UserError if a folder holds a contest already. */
export function refuseContest(folder: string): void {
  const file = join(folder, 'contest.toml')
  // A link is there itself, wherever it leads.
  if (lstatSync(resolve(file), { throwIfNoEntry: false }) !== undefined)
    throw new UserError(`${file} is there already: name another folder`)
}

/** Makes a league's folder with its `contest.toml`. Throws UserError for an answer that does not do, and if there is a contest already. */
export function initContest(folder: string, { title, game, format, repetitions, house }: ContestAnswers): void {
  const there = contestsOf(game)
  const formats: string[] = there.formats.map(({ kind }) => kind)
  const bots = there.house()
  const unknown = house.find((name) => !bots.includes(name))
  const refuse = (why: string, name: string, among: readonly string[], remedy: string): UserError =>
    new UserError(`${game} ${why}${didYouMean(name, among)}; ${remedy} ${among.join(', ')}`)
  if (!formats.includes(format)) throw refuse(`is not played by ${format}`, format, formats, 'choose one of')
  if (unknown !== undefined) throw refuse(`has no house bot "${unknown}"`, unknown, bots, 'there are')
  const text = [
    `title = ${JSON.stringify(title)}`,
    `game = ${JSON.stringify(game)}`,
    String(message`entrants = "*/bot.toml" # each bot in a folder of its own: ${command('new bot')} makes one`),
    ...(house.length === 0 ? [] : [`house = ${JSON.stringify(house)}`]),
    '',
    '[format]',
    `kind = ${JSON.stringify(format)}`,
    `${hasRounds(format) ? 'rounds' : 'repetitions'} = ${repetitions}`,
    '',
  ].join('\n')
  refuseContest(folder)
  mkdirSync(resolve(folder), { recursive: true })
  writeFileSync(join(resolve(folder), 'contest.toml'), text, { flag: 'wx' })
}

/** What to type next, in the folder where the contest's folder was made. */
export function nextSteps(folder: string, { game, house }: Pick<ContestAnswers, 'game' | 'house'>): readonly Message[] {
  const to = /^[\w./-]+$/.test(folder) ? folder.replace(/\/+$/, '') : `'${visible(folder)}'`
  const run = message`${command(`run ${to}/`)}`
  const bot = message`(cd ${to} && ${command(`new bot ${game} python Kestrel`)})   # a bot of yours`
  return house.length > 1 ? [run, bot, message`${run}   # again: only what is new is played`] : [bot, run]
}
