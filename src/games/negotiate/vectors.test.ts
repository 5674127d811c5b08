import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { conform } from './conform.js'

const lines = gunzipSync(readFileSync('test/conformance/negotiate.jsonl.gz')).toString().trim().split('\n')

describe('the recorded games of negotiate', () => {
  it('all 300 replay exactly: settings, every text sent, strength, winner', () => {
    expect(lines).toHaveLength(300)
    expect(lines.flatMap((line, n) => conform(JSON.parse(line)).map((difference) => `${n}: ${difference}`))).toEqual([])
  })
})
