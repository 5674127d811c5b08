import type { HttpBindings } from '@hono/node-server'
import type { Caller } from '../tokens.js'

/** What every request carries beside itself. */
export interface Env {
  Variables: { caller: Caller; address: string }
  /** Absent where a request comes from within the process, as in tests. */
  Bindings: Partial<HttpBindings>
}
