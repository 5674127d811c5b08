import { describeEngine } from '../../test/kit/engine.js'
import { startThreads } from './pool.js'

describeEngine('threads', ({ setup, place, jobs }) => startThreads(setup, place, jobs, () => undefined), {
  mortal: true,
})
