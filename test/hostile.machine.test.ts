import { ROOT, describeHostile, holds, leavesNothing } from './kit/hostile.js'

describeHostile(() => holds(ROOT))
describeHostile(leavesNothing)
