import { describeWorkers } from '../../test/kit/workers.js'
import { startThreads } from './pool.js'

describeWorkers('threads', ({ setup, place, jobs }) => startThreads(setup, place, jobs, () => undefined), {
  mortal: true,
})
