import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { Place } from './cli/agon.js'

/** So many plies of chess or Go, whatever they are: the engines are to agree on what is a move. */
const game = (id: string, wire: string, pattern: string, plies: number) => `
import { type Moves, type Shape, gtpWire, uciWire } from 'agon'
interface State { readonly said: readonly string[]; readonly loser: number | null }
const game = {
  id: '${id}', version: 1, seats: { min: 2, max: 2 }, options: {},
  setup: (): State => ({ said: [], loser: null }),
  toMove: (s: State) => (s.loser !== null || s.said.length === ${plies} ? [] : [s.said.length % 2]),
  view: ({ said }: State) => ({ said }),
  legal: (): Shape => ({ text: { pattern: '${pattern}', max: 6 } }),
  play: (s: State, moves: Moves<string>): State => {
    const seat = s.said.length % 2
    const move = moves[seat]
    return typeof move === 'string' ? { ...s, said: [...s.said, move] } : { ...s, loser: seat }
  },
  outcome: (s: State) => s.loser !== null || s.said.length === ${plies}
    ? { place: [0, 1].map((seat) => (s.loser === seat ? 2 : 1)), reason: 'plies' } : undefined,
}
type View = { readonly said: readonly string[] }
const wires = { ${wire} }
export default { game, title: '${id}', summary: 'A few plies.', wires }
`
const CHESS = game(
  'plies',
  "uci: uciWire<View>({ position: ({ said }) => ['startpos', ...(said.length > 0 ? ['moves', ...said] : [])].join(' '), go: 'nodes 200', options: ['name Hash value 1'] })",
  '^[a-h][1-8][a-h][1-8][qrbn]?$',
  12,
)
const GO = game(
  'stones',
  "gtp: gtpWire<View>({ size: 9, moves: ({ said }) => said.map((point, i) => [i % 2 === 0 ? 'B' : 'W', point] as const), colour: ({ said }) => (said.length % 2 === 0 ? 'B' : 'W') })",
  '^([A-HJ][1-9]|pass|resign)$',
  12,
)

/** Speaks UCI as engines do: with a banner, thoughts, and blank lines. It knows the opening of one game. */
const UCI = `
const line = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5'.split(' ')
let at = 0
const say = (...lines) => process.stdout.write(lines.join('\\n') + '\\n')
say('Engine 1.0 by nobody')
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const words = text.split(' ')
  if (text === 'uci') say('id name Engine', 'option name Hash type spin', 'uciok')
  // Late and unasked: it belongs to what came before.
  if (text === 'isready') say('info string ready', 'bestmove a1a1', 'readyok')
  if (words[0] === 'position') at = words[2] === 'moves' ? words.length - 3 : 0
  if (words[0] === 'go') say('info depth 1 pv ' + line[at], '', 'info depth 2', at === 11 ? 'bestmove (none)' : 'bestmove ' + line[at] + ' ponder a2a3')
})`
/** Speaks GTP: each answer is followed by an empty line, and only what has a number is answered with it. */
const GTP = `
let played = 0
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const [, id = '', command, rest] = /^(\\d*) ?(\\w+) ?(.*)$/.exec(text)
  if (command === 'clear_board') played = 0
  if (command === 'play') played++
  const answers = { protocol_version: '2', genmove: played === 11 ? '?cannot' : ['d4', 'PASS', 'E5'][played % 3] }
  const answer = answers[command] ?? ''
  process.stdout.write((answer[0] === '?' ? '?' + id + ' cannot' : '=' + id + ' ' + answer) + '\\n\\n')
})`

describe('engines that speak a protocol of many lines', () => {
  const place = new Place({ 'plies.ts': CHESS, 'stones.ts': GO, 'uci.cjs': UCI, 'gtp.cjs': GTP })

  const played = async (file: string, engine: string) => {
    const { status, stdout, stderr } = await place.agon([
      'match',
      file,
      engine,
      engine,
      '--json',
      '--limit',
      'turn=60000',
    ])
    expect(stderr, stderr).not.toMatch(/Error/)
    expect(status).toBe(0)
    return JSON.parse(stdout) as { moves: unknown[][]; faults: unknown[] }
  }

  it('UCI: banners, thoughts and what was printed before are passed over', async () => {
    const { moves, faults } = await played('./plies.ts', 'node uci.cjs')
    const all = moves.map((step, i) => step[i % 2])
    expect(all.slice(0, 11)).toEqual('e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1'.split(' '))
    expect(faults).toMatchObject([{ fault: 'illegal', seat: 1, said: '0000' }])
  })

  it('GTP: only the answer with its number counts, and a refusal is a fault', async () => {
    const { moves, faults } = await played('./stones.ts', 'node gtp.cjs')
    expect(moves.map((step, i) => step[i % 2]).slice(0, 4)).toEqual(['D4', 'pass', 'E5', 'D4'])
    expect(faults).toMatchObject([{ fault: 'unparsable', seat: 1, why: 'it refuses: cannot' }])
  })

  const isHere = (word: string) => spawnSync(word, ['--version'], { input: '' }).error === undefined
  it.runIf(isHere('stockfish'))('UCI: stockfish as it is', async () => {
    expect((await played('./plies.ts', 'stockfish')).faults).toEqual([])
  })
  it.runIf(isHere('gnugo'))('GTP: gnugo as it is', async () => {
    expect((await played('./stones.ts', 'gnugo --mode gtp --level 1')).faults).toEqual([])
  })
})
