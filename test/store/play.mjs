/**
 * Plays a tournament in the store of a folder, or goes on with it, and prints a dot a match; at its end the table and a
 * digest of all records without their times. Arguments: the folder, and 'tournament' or 'match' for how long its bots remember.
 */
import { canonical } from '../../dist/core/index.js'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { runTournament } from '../../dist/engine/index.js'
import { games } from '../../dist/games/index.js'
import { openStore } from '../../dist/store/index.js'
import { createTournament } from '../../dist/tournament/index.js'

const [folder, memory] = process.argv.slice(2)
const definition = games.find(({ game }) => game.id === 'gunduel')
const wires = {
  ...definition.wires,
  exit: { ...definition.wires.exit, memory: 'tournament', state: { folder: 'state', bytes: 9999 } },
}
const source = join(import.meta.dirname, 'bots')
const program = (name, wire, file) => ({
  name,
  wire,
  memory,
  run: { kind: 'process', argv: ['perl', join(source, file)], source },
})
const module = (name) => ({
  name,
  wire: 'module',
  memory,
  run: {
    kind: 'module',
    load: async () => {
      let calls = 0
      return (_view, chance) => '01-'.charAt((calls++ + chance.below(3)) % 3)
    },
  },
})
const entrants = [
  program('Lines', 'lines', 'lines.pl'),
  program('Exit', 'exit', 'exit.pl'),
  module('Module'),
  module('Other'),
]
const names = entrants.map(({ name }) => name)
const contest = {
  title: 'x',
  game: 'gunduel',
  options: { ...definition.game.options, turns: 4 },
  format: { kind: 'round-robin', repetitions: 12, swap: true, playoff: 0 },
  scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
  limits: { turn: 30_000 },
}
const { seats } = definition.game
const run = {
  id: 'run',
  agon: 'test',
  file: 'x.toml',
  contest,
  game: { id: 'gunduel', version: 1, seats },
  seed: 's',
  tournament: 'ab'.repeat(16),
  out: folder,
  began: '',
  entrants: names.map((name) => ({
    name,
    facts: {},
    hash: name,
    house: false,
    source: '',
    build: '',
    command: '',
    toolchain: '',
    wire: '',
    memory,
  })),
}
const store = openStore(folder, 'test')
if ((await store.run('run')) === undefined) await store.addRun(run)
const schedule = createTournament({ ...contest, names, seats, seed: 's', shuffled: memory === 'tournament' })
const playable = {
  ...run,
  definition: { ...definition, wires },
  entrants: run.entrants.map((one, id) => ({ ...one, ...entrants[id], id })),
}
const result = await runTournament(playable, {
  schedule,
  place: { rooms: join(folder, `rooms-${process.pid}`) },
  jobs: 2,
  store,
  signal: new AbortController().signal,
  on: (event) => {
    if (event.type === 'match' && !event.reused) process.stdout.write('.')
    if (event.type === 'note') throw new Error(event.text)
  },
})
const digest = createHash('sha256')
let matches = 0
for (const key of result.jobKeys) {
  for (const { record } of (await store.read([key])).get(key) ?? []) {
    digest.update(`${canonical({ ...record, times: undefined })}\n`)
    matches++
  }
}
await store.close()
const table = schedule.standings(result.results).rows.map(({ name, points }) => [name, points])
process.stdout.write(`\n${JSON.stringify({ table, matches, digest: digest.digest('hex') })}\n`)
