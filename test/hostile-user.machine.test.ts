import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS, startSandbox } from '../src/sandbox/index.js'
import { NOBODY, describeHostile, holds } from './kit/hostile.js'

// Beside the same programs in the sandboxes of the user who runs the tests: those wait more than they compute.
describe.runIf(process.getuid?.() === 0)('an ordinary user', () => {
  describeHostile(() => holds(NOBODY))

  describeHostile(() => {
    it('has as many processes in each of its sandboxes as one may have, at the same time', async () => {
      const limits = { ...DEFAULT_LIMITS, processes: 20 }
      const open = () => startSandbox({ ...NOBODY(), also: [], tools: {}, limits })
      const sandboxes = await Promise.all([open(), open()])
      const count =
        'for (1..60) { my $p = fork; last unless defined $p; if (!$p) { sleep 600 } $n++ } sleep 2; print $n'
      const turn = {
        argv: ['/usr/bin/perl', '-e', count],
        env: { PATH: '/usr/bin' },
        folder: '/bot',
        limit: 60_000,
        output: 1000,
        errors: 1000,
        wipe: true,
        warm: false,
      }
      const turns = await Promise.all(sandboxes.map((sandbox) => sandbox.turn(turn)))
      await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
      // Beside them there are the program itself and the launcher.
      expect(turns.map(({ out }) => out)).toEqual(['18', '18'])
    }, 60_000)
  })
})
