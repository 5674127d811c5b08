import { damaged } from './damage.js'
import type { SourceStore } from './port.js'
import { type StoreDatabase, first, rowsAmong } from './sql.js'
import { sumOf, sumOfBytes } from './sums.js'

/** Entrants' sources. */
export function sourcesOf(db: StoreDatabase): SourceStore {
  return {
    lackingSources: (hashes) =>
      db.look(async (sql) => {
        const rows = await rowsAmong<{ hash: string }>(sql, 'SELECT hash FROM source WHERE hash IN (%)', hashes)
        const there = new Set(rows.map(({ hash }) => hash))
        return hashes.filter((hash) => !there.has(hash))
      }),

    async saveSource(hash, data) {
      const sum = sumOfBytes(sumOf('source', hash), data)
      await db.transaction((sql) =>
        sql.run('INSERT INTO source (hash, data, sum) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING', [
          hash,
          data,
          sum,
        ]),
      )
    },

    source: (hash) =>
      db.look(async (sql) => {
        const row = await first<{ data: Uint8Array; sum: number }>(
          sql,
          'SELECT data, sum FROM source WHERE hash = $1',
          [hash],
        )
        if (row !== undefined && row.sum !== sumOfBytes(sumOf('source', hash), row.data)) throw damaged(sql.where)
        return row?.data
      }),
  }
}
