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
const options = { ...definition.game.options, turns: 4 }
const plan = {
  options,
  format: { kind: 'round-robin', repetitions: 12, swap: true, playoff: 0 },
  scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
  limits: { turn: 30_000 },
  names,
  seats: definition.game.seats,
  shuffled: memory === 'tournament',
}
const tournament = 'ab'.repeat(16)
const store = openStore(folder, 'test')
if ((await store.run('run')) === undefined) {
  const facts = {
    id: 'run',
    agon: 'test',
    contest: 'x.toml',
    title: 'x',
    game: 'gunduel',
    version: 1,
    seed: 's',
    out: folder,
  }
  const hashed = names.map((name) => ({
    name,
    hash: name,
    source: '',
    build: '',
    command: '',
    wire: '',
    memory,
    limits: '',
    toolchain: '',
  }))
  await store.addRun({ ...facts, began: '', state: 'open', tournament, identity: {}, plan }, hashed)
}
const schedule = createTournament({ ...plan, seed: 's' })
const result = await runTournament({
  definition: { ...definition, wires },
  options,
  tournament,
  schedule,
  entrants,
  hashes: names,
  ids: names.map((_, i) => i),
  seed: 's',
  limits: plan.limits,
  jobs: 2,
  store,
  id: 'run',
  rooms: join(folder, `rooms-${process.pid}`),
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
