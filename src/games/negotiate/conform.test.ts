import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bent } from '../../../test/kit/bent.js'
import { conform } from './conform.js'

const lines = gunzipSync(readFileSync('test/conformance/negotiate.jsonl.gz')).toString().trim().split('\n')

describe('the recorded games of negotiate', () => {
  it('all 300 replay exactly: settings, every text sent, strength, winner', () => {
    expect(lines).toHaveLength(300)
    expect(lines.flatMap((line, n) => conform(JSON.parse(line)).map((difference) => `${n}: ${difference}`))).toEqual([])
  })

  it('no single figure, letter or missing part goes unnoticed', () => {
    for (const { game, where } of bent(JSON.parse(lines[0] ?? ''))) {
      // The last turn's choices may not change who is first or last with a lord: those are the only figures without a consequence.
      if (where.startsWith('.turns.8.outputs')) continue
      expect(conform(game), where).not.toEqual([])
    }
  })

  it.each([null, 7, 'x', [], {}, { settings: '', strengthIn24ths: [], winner: 0, turns: [{}] }])(
    '%j is no recorded game',
    (line) => {
      expect(conform(line)).toEqual([expect.stringMatching(/^not a recorded game: /)])
    },
  )
})
