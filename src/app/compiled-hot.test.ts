import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** How many calls V8 needs to optimise a function, in a process that first does this. */
function callsAfter(first: string): number {
  const file = new URL('compiled-hot.ts', import.meta.url).href
  // Bit 4 of its status says that a function is optimised.
  const code = `
    import { compileOnlyHot } from ${JSON.stringify(file)}
    ${first}
    const work = new Function('n', 'let sum = 0; for (let i = 0; i < 20; i++) sum = (sum * 31 + n + i) | 0; return sum')
    const isOptimized = new Function('work', 'return (%GetOptimizationStatus(work) & 16) !== 0')
    let calls = 0
    while (!isOptimized(work) && calls < 1e6) { work(calls); calls++ }
    console.log(calls)`
  const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--no-use-osr']
  const words = [...flags, '--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code]
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8' }))
}

it('functions are optimised later while a run is played, and as usual before and behind it', () => {
  const usual = callsAfter('')
  expect(usual).toBeGreaterThan(0)
  expect(usual).toBeLessThan(1e5)
  expect(callsAfter('compileOnlyHot()')).toBeGreaterThan(2 * usual)
  expect(callsAfter('const end = compileOnlyHot(); compileOnlyHot(); end(); end()')).toBeGreaterThan(2 * usual)
  expect(callsAfter('const ends = [compileOnlyHot(), compileOnlyHot()]; for (const end of ends) end()')).toBe(usual)
})
