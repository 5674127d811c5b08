import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bent } from '../../../test/kit/bent.js'
import { conform } from './conform.js'

const lines = gunzipSync(readFileSync('test/conformance/coup.jsonl.gz')).toString().trim().split('\n')

describe('the recorded games of coup', () => {
  it('all 400 replay exactly: arguments, file, coins, hands, decks, ends', () => {
    expect(lines).toHaveLength(400)
    expect(lines.flatMap((line, n) => conform(JSON.parse(line)).map((difference) => `${n}: ${difference}`))).toEqual([])
  })

  it('no single figure, letter or missing part goes unnoticed', () => {
    // One with an exchange, one that ends with both cards lost.
    const both = lines.findIndex((line) => line.includes('both cards'))
    for (const line of [lines[0], lines.find((each) => each.includes('stdout')), lines[both]]) {
      for (const { game, where } of bent(JSON.parse(line ?? ''))) expect(conform(game), where).not.toEqual([])
    }
  })

  it.each([null, 7, 'x', [], {}, { calls: [] }, { calls: [null] }])('%j is no recorded game', (line) => {
    expect(conform(line)).toContainEqual(expect.stringMatching(/is no recorded game of this form/))
  })
})
