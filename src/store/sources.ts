import type { ServerStore } from './port.js'
import { type StoreDatabase, first, rowsAmong } from './sql.js'
import { damaged, sumOf, sumOfBytes } from './sums.js'

const sourceSum = (hash: string, data: Uint8Array): number => sumOfBytes(sumOf('source', hash), data)

export const sourcesOf = (db: StoreDatabase): Pick<ServerStore, 'lackingSources' | 'saveSource' | 'source'> => ({
  lackingSources: (hashes) =>
    db.look(async (sql) => {
      const rows = await rowsAmong<{ hash: string }>(sql, 'SELECT hash FROM source WHERE hash IN (%)', hashes)
      const there = new Set(rows.map(({ hash }) => hash))
      return hashes.filter((hash) => !there.has(hash))
    }),

  async saveSource(hash, data) {
    const text = 'INSERT INTO source (hash, data, sum) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING'
    await db.transaction((sql) => sql.run(text, [hash, data, sourceSum(hash, data)]))
  },

  source: (hash) =>
    db.look(async (sql) => {
      const text = 'SELECT data, sum FROM source WHERE hash = $1'
      const row = await first<{ data: Uint8Array; sum: number }>(sql, text, [hash])
      if (row !== undefined && row.sum !== sourceSum(hash, row.data)) throw damaged(sql.where)
      return row?.data
    }),
})
