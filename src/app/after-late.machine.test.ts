import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TestContest } from '../../test/kit/stored-run.js'
import type { MatchRecord } from '../core/index.js'
import { findIsolation } from '../sandbox/index.js'

const { launcher, program } = await findIsolation()

const bot = (what: string): string => `import sys, time
duel = turn = 0
for line in sys.stdin:
  if line[:1] == 'I': duel += 1; turn = 0
  if line[:1] == 'F':
    turn += 1
    if duel == 1 and turn == 2: ${what}
    print('-', flush=True)
`

it.skipIf(launcher === undefined || program === undefined)(
  'a Python bot of a series that was late has a process in the next match, which is asked in time',
  async () => {
    const place = new TestContest()
    place.write('late.py', bot('time.sleep(60)'))
    place.write('calm.py', bot('pass'))
    place.write(
      'small.toml',
      `title = "Late"
game = "gunduel"
seed = "a seed of sixteen characters"
memory = "series"
[format]
kind = "round-robin"
repetitions = 2
[[entrants]]
name = "Late"
command = "python3 late.py"
wire = "lines"
[[entrants]]
name = "Calm"
command = "python3 calm.py"
wire = "lines"
`,
    )
    await place.play()
    const lines = readFileSync(join(place.out, 'records.jsonl'), 'utf8').trim().split('\n')
    // In each duel it answers once, and is late at its second question.
    expect(lines.map((line) => (JSON.parse(line) as MatchRecord).steps.length)).toEqual([2, 2])
  },
  120_000,
)
