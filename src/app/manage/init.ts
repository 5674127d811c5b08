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

/** The games that a contest may be of, with their titles. */
export const gamesThere = (): readonly { readonly id: string; readonly title: string }[] =>
  games.map(({ game, title }) => ({ id: game.id, title }))

/** The formats that suit a game, the usual one first; those that need more than five answers are left out. */
export function formatsFor(game: string) {
  const many = (definitionOf(game).game.seats.max ?? 2) > 2
  return FORMATS.filter(({ hint, sizes }) => hint !== undefined && (sizes !== undefined) === many)
}

/** Whether the number that is asked for is that of rounds. */
export const hasRounds = (format: string): boolean => formatOf(format).keys.includes('rounds')

/** Throws UserError where a folder holds a contest already. */
export function refuseContest(folder: string): void {
  const file = join(folder, 'contest.toml')
  // A link is there itself, wherever it leads.
  if (lstatSync(resolve(file), { throwIfNoEntry: false }) !== undefined)
    throw new UserError(`${file} is there already: name another folder`)
}

export const houseOf = (game: string): readonly string[] => houseBots(definitionOf(game)).map(({ spec }) => spec.name)

/**
 * Makes a league's folder with its `contest.toml`. Throws UserError for an answer that does not do, and where there is a contest already.
 */
export function initContest(folder: string, answers: ContestAnswers): void {
  const to = resolve(folder)
  const { title, game, format, repetitions, house } = answers
  const formats = formatsFor(game).map(({ kind }) => kind)
  if (!formats.some((kind) => kind === format))
    throw new UserError(
      `${game} is not played by ${format}${didYouMean(format, formats)}; choose one of ${formats.join(', ')}`,
    )
  const bots = houseOf(game)
  const unknown = house.find((name) => !bots.includes(name))
  if (unknown !== undefined)
    throw new UserError(
      `${game} has no house bot "${unknown}"${didYouMean(unknown, bots)}; there are ${bots.join(', ')}`,
    )
  const often = `${hasRounds(format) ? 'rounds' : 'repetitions'} = ${repetitions}`
  const text = [
    `title = ${JSON.stringify(title)}`,
    `game = ${JSON.stringify(game)}`,
    String(message`entrants = "*/bot.toml" # each bot in a folder of its own: ${command('new bot')} makes one`),
    ...(house.length === 0 ? [] : [`house = ${JSON.stringify(house)}`]),
    '',
    '[format]',
    `kind = ${JSON.stringify(format)}`,
    often,
    '',
  ].join('\n')
  refuseContest(folder)
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'contest.toml'), text, { flag: 'wx' })
}

/** What to type next, in the folder where the contest's folder was made. */
export function nextSteps(folder: string, { game, house }: Pick<ContestAnswers, 'game' | 'house'>): readonly Message[] {
  const to = /^[\w./-]+$/.test(folder) ? folder.replace(/\/+$/, '') : `'${visible(folder)}'`
  const run = message`${command(`run ${to}/`)}`
  const bot = message`(cd ${to} && ${command(`new bot ${game} python Kestrel`)})   # a bot of yours`
  return house.length > 1 ? [run, bot, message`${run}   # again: only what is new is played`] : [bot, run]
}

function definitionOf(id: string) {
  const definition = games.find(({ game }) => game.id === id)
  if (definition !== undefined) return definition
  const ids = games.map(({ game }) => game.id)
  throw new UserError(`no game "${id}"${didYouMean(id, ids)}; there are ${ids.join(', ')}`)
}
