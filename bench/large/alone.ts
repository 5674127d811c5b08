import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Agon from '../../src/index.js'
import type { Bot, MatchRecord } from '../../src/core/index.js'

/*
 * Plays the matches of a results folder again with the modules that played them, by the library and nothing else, and prints the seconds of
 * the processors. Usage: alone FOLDER MODULES, which has a module for each entrant's number
 */

const [folder = '', modules = ''] = process.argv.slice(2)
const { games, modulePlayer, playMatch } = (await import(
  new URL('../../dist/index.js', import.meta.url).href
)) as typeof Agon
const contest = JSON.parse(readFileSync(join(folder, 'contest.json'), 'utf8')) as {
  game: string
  entrants: { name: string }[]
}
const definition = games.find(({ game }) => game.id === contest.game)
if (definition === undefined) throw new Error(`no game ${contest.game}`)
const bots = new Map<string, Bot<unknown, string>>()
for (const { name } of contest.entrants) {
  const file = pathToFileURL(join(modules, `${name}.js`)).href
  bots.set(name, ((await import(file)) as { default: Bot<unknown, string> }).default)
}
const records = readFileSync(join(folder, 'records.jsonl'), 'utf8').trimEnd().split('\n')
const fixtures = records.map((line) => JSON.parse(line) as MatchRecord)
const began = process.cpuUsage()
for (const { agon, key = '', game, version, options, luck, field, seats } of fixtures) {
  await playMatch({
    definition,
    players: seats.map(({ entrant }) => modulePlayer(bots.get(entrant) as Bot<unknown, string>)),
    fixture: { agon, key, game, version, options, luck: { ...luck, at: 0 }, field, seats },
  })
}
const { user, system } = process.cpuUsage(began)
console.log((user + system) / 1e6)
