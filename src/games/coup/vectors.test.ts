import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { conform } from './conform.js'

const lines = gunzipSync(readFileSync('test/conformance/coup.jsonl.gz')).toString().trim().split('\n')

describe('the recorded games of coup', () => {
  it('all 400 replay exactly: arguments, file, coins, hands, decks, ends', () => {
    expect(lines).toHaveLength(400)
    expect(lines.flatMap((line, n) => conform(JSON.parse(line)).map((difference) => `${n}: ${difference}`))).toEqual([])
  })
})
