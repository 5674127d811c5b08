import { randomInt } from 'node:crypto'
import { mappedUsers, processesSeen, statOf } from '../files/index.js'

const given = new Set<number>()
/** Of so many ids two sandboxes hardly ever draw the same; of the few that a contained system maps they may. */
const MANY = 2 ** 30
const FEW = 2000

/**
 * A user id of its own for a sandbox, above those of accounts: processes are counted by user, and one bot's user has no
 * rights over another's. It is drawn by chance: the bot can read it, and an ordinal would show its match's place in the
 * run, and so whom it plays. Undefined where agon is not root: all sandboxes are then agon's user, each in its own
 * namespace.
 */
export function nextUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined
  const top = Math.min(highestId(), 2 ** 31 - 2)
  const count = top >= MANY + FEW ? top - MANY : FEW
  if (given.size > count / 2) given.clear()
  const alive = count === FEW ? usersAlive() : given
  let user = top
  for (let draws = 0; draws < 100 * FEW; draws++) {
    user = top - randomInt(count)
    if (!given.has(user) && !alive.has(user)) break
  }
  given.add(user)
  return user
}

const usersAlive = (): ReadonlySet<number> =>
  new Set(processesSeen().flatMap((pid) => statOf(`/proc/${pid}`)?.uid ?? []))

function highestId(): number {
  const ends = mappedUsers().map(({ first, size }) => first + size - 1)
  return ends.length === 0 ? 65_533 : Math.max(...ends)
}
