// Writes docs/contest.schema.json, which editors read to complete and check contest files.
import { writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { contestJsonSchema } from '../src/contest/schema.js'

const path = new URL('../docs/contest.schema.json', import.meta.url)
const style = await resolveConfig(path)
writeFileSync(path, await format(JSON.stringify(contestJsonSchema()), { ...style, filepath: path.pathname }))
