import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bent } from '../../../test/kit/bent.js'
import { isFault } from '../../core/index.js'
import { conform } from './conform.js'
import type { View } from './view.js'
import { lines as wire } from './wires.js'

const lines = gunzipSync(readFileSync('test/conformance/negotiate.jsonl.gz')).toString().trim().split('\n')

/** A program's choice in a turn, as an action (lord 0 for a fault); its output if no whole line. */
function named(game: unknown, turn: string, seat: string): unknown {
  const output = (game as { turns: { outputs: string[] }[] }).turns[Number(turn)]?.outputs[Number(seat)] ?? ''
  const view = { negotiations: Number(turn) % 2 === 0 ? 5 : 2, forces: [3, 3, 3, 3, 3, 3] } as unknown as View
  if (!output.endsWith('\n')) return output
  const move = wire.read({ out: output.slice(0, -1) }, view, { seat: 0, ids: [], field: 4 })
  return isFault(move) ? Array.from({ length: view.negotiations }, () => 0).join(' ') : move
}

describe('the recorded games of negotiate', () => {
  it('all 300 replay exactly: settings, every text sent, strength, winner', () => {
    expect(lines).toHaveLength(300)
    expect(lines.flatMap((line, n) => conform(JSON.parse(line)).map((difference) => `${n}: ${difference}`))).toEqual([])
  })

  it('no single figure, letter or missing part goes unnoticed', () => {
    const first: unknown = JSON.parse(lines[0] ?? '')
    for (const { game, where } of bent(first)) {
      // The last turn's choices may not change who is first or last with a lord, and other words may name the same
      // lords (rules 6.5, 6.6): all else has consequences.
      const [, turn, seat] = /^\.turns\.(\d)\.outputs\.(\d)/.exec(where) ?? []
      if (turn === '8') continue
      if (turn !== undefined && seat !== undefined && named(game, turn, seat) === named(first, turn, seat)) continue
      expect(conform(game), where).not.toEqual([])
    }
  })

  it.each([null, 7, 'x', [], {}, { settings: '', strengthIn24ths: [], winner: 0, turns: [{}] }])(
    '%j is no recorded game',
    (line) => {
      expect(conform(line)).toContainEqual(expect.stringMatching(/is no recorded game of this form/))
    },
  )
})
