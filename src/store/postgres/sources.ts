import type { SourceStore } from '../port.js'
import { sumOf, sumOfBytes } from '../sums.js'
import { damagedAt } from './errors.js'
import type { Server } from './server.js'

/** Entrants' sources on the server. */
export function serverSources(server: Server): SourceStore {
  return {
    lackingSources: (hashes) =>
      server.look(async (sql) => {
        const rows = await sql.all<{ hash: string }>(
          'SELECT hash FROM agon.source WHERE hash = ANY($1::text[])',
          hashes,
        )
        const there = new Set(rows.map(({ hash }) => hash))
        return hashes.filter((hash) => !there.has(hash))
      }),

    async saveSource(hash, data) {
      await server.write((sql) =>
        sql.run(
          'INSERT INTO agon.source (hash, data, sum) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING',
          hash,
          data,
          sumOfBytes(sumOf('source', hash), data),
        ),
      )
    },

    source: (hash) =>
      server.look(async (sql) => {
        const row = await sql.get<{ data: Uint8Array; sum: number }>(
          'SELECT data, sum FROM agon.source WHERE hash = $1',
          hash,
        )
        if (row !== undefined && row.sum !== sumOfBytes(sumOf('source', hash), row.data)) throw damagedAt(sql.where)
        return row?.data
      }),
  }
}
