import { describeEngine } from '../../test/kit/engine.js'
import { startThreads } from './pool.js'

describeEngine('threads', ({ run, place, jobs }) => startThreads(run, place, jobs, () => undefined), {
  mortal: true,
})
