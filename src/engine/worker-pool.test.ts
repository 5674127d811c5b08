import { describeEngine } from '../../test/kit/engine.js'
import gunduel from '../games/gunduel/index.js'
import { entrantOf } from '../workers/entrants.js'
import { Arena, workersHere } from './index.js'

describeEngine(
  'this thread',
  async ({ setup, place }) => {
    const entrants = setup.entrants.map((one) => {
      const run = place.programs.get(one.name)
      if (run === undefined) throw new Error(`nothing was made of ${one.name}`)
      return entrantOf({ ...one, run }, place.isolation, setup.limits)
    })
    const { rooms, parts } = place
    const arena = new Arena(
      { ...setup, definition: gunduel, entrants, rooms, ...(parts && { parts }) },
      () => undefined,
    )
    return workersHere(
      arena,
      entrants.map(({ name }) => name),
    )
  },
  { mortal: false },
)
