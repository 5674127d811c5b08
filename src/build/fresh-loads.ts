import type { BotModule } from '../core/index.js'
import { importFresh } from '../contest/index.js'
import { type ModuleScript, NoScript, scriptOf } from './module-script.js'

let imports = 0

/**
 * What loads a trusted module with fresh variables, each time it is called. The first time Node imports it, which says whatever is
 * wrong with it; from then on it is a script, where it can be one: an import is slower, and is never freed.
 */
export function freshLoads(file: string): () => Promise<BotModule> {
  let imported = false
  let script: Promise<ModuleScript | undefined> | undefined
  return async () => {
    if (imported) {
      const read = await (script ??= readScript(file))
      if (read !== undefined) return read.load()
    }
    const module = (await importFresh(file, String(imports++))) as BotModule
    imported = true
    return module
  }
}

async function readScript(file: string): Promise<ModuleScript | undefined> {
  try {
    return await scriptOf(file)
  } catch (error) {
    if (error instanceof NoScript) return undefined
    throw error
  }
}
