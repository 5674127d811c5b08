/** Records 200 jobs of two matches in a store, one transaction each, and prints each job's key once it is acknowledged. */
import { openStore } from '../../src/store/sqlite/store.js'
import { keyOf, played, runOf } from '../kit/records.js'

const [workspace = '', from = ''] = process.argv.slice(2)
const store = openStore(workspace, 'test')
const id = `run ${from}`
await store.addRun(runOf(id))
for (let n = Number(from); n < Number(from) + 200; n++) {
  const matches = [1, 2].map((number) => played(`${n}/${number}`, [0, 1], [1, 2]))
  await store.record(id, [{ key: keyOf(n), matches }])
  process.stdout.write(`${keyOf(n)}\n`)
}
await store.close()
