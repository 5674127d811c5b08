import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIsolation } from './doctor.js'
import { DEFAULT_LIMITS } from './limits.js'
import { openSandbox } from './open-sandbox.js'
import type { Sandbox } from './sandbox.js'
import { WARM_PLACE, WARM_TOOLS, interpreterEnvironment, warmCommand } from './warm.js'

/** A line of a *.pth that leaves a mark. */
const PTH = 'import os; f = open("/tmp/marks", "a"); f.write(NAME + "\\nby %d\\n" % os.getpid()); f.close()\n/tmp\n'

const { launcher = '', program: bubblewrap } = await findIsolation()

/** Small programs; each must do the same, whether its interpreter was warm or not. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'its arguments': 'import sys; print(sys.argv)',
  'its original arguments end alike': 'import sys; print(sys.orig_argv[-3:])',
  'exit code 0': 'raise SystemExit(0)',
  'exit code 7': 'import sys; sys.exit(7)',
  'exit code 255': 'import sys; sys.exit(255)',
  'exit code 256 and beyond': 'import sys; sys.exit(300)',
  'exit code of a negative number': 'import sys; sys.exit(-1)',
  'exit with nothing': 'import sys; sys.exit()',
  'exit with a text': 'import sys; sys.exit("a reason")',
  'exit at once': 'import os; print("lost", end=""); os._exit(3)',
  'an uncaught exception': 'def f(): g()\ndef g(): raise ValueError("no")\nf()',
  'an exception with its cause': 'try:\n  1 / 0\nexcept ZeroDivisionError as e:\n  raise KeyError("k") from e',
  'an exception group': 'raise ExceptionGroup("many", [ValueError(1), TypeError(2)])',
  'a syntax error': 'print("never"\nx = = 1',
  'an error of indentation': 'if True:\nprint(1)',
  'a keyboard interrupt': 'raise KeyboardInterrupt',
  'a signal that ends it': 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)',
  abort: 'import os; print("x", end=""); os.abort()',
  'prints without a newline': 'print("A", end="")',
  'prints much': 'print("x" * 50000)',
  'writes to both streams': 'import sys; print("out"); print("err", file=sys.stderr); sys.stdout.write("more")',
  'writes bytes': 'import sys; sys.stdout.buffer.write(bytes(range(256)))',
  'reads its input': 'import sys; print(sys.stdin.read().upper()); print(sys.stdin.read())',
  'reads lines of its input': 'for line in open(0): print(repr(line))',
  'input() at the end': 'try:\n  while True: print(input())\nexcept EOFError: print("end")',
  'hooks at its end': 'import atexit; atexit.register(print, "first"); atexit.register(print, "last"); print("body")',
  'hooks at its end after an exception': 'import atexit; atexit.register(print, "hook"); 1 / 0',
  'a hook that fails': 'import atexit\ndef bad(): raise OSError("bad")\natexit.register(bad); print("body")',
  'objects that are finalised': 'class A:\n  def __del__(self): print("gone")\na = A()\nprint("body")',
  'a file that was not closed':
    'f = open("/tmp/f", "w"); f.write("kept"); import os\nif os.fork() == 0: pass\nelse: os.wait(); print("p")',
  forks:
    'import os, sys\npid = os.fork()\nif pid == 0:\n  print("child", flush=True); os._exit(4)\nprint(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))',
  subprocesses: 'import subprocess; print(subprocess.run(["sh", "-c", "echo hi; exit 3"], capture_output=True))',
  'a shell': 'import os; print(os.system("exit 5"), flush=True); os.system("echo $AGON_SEED")',
  threads:
    'import threading, time\ndef f(): time.sleep(0.02); print("thread")\nthreading.Thread(target=f).start(); print("main")',
  'a daemon thread':
    'import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start(); print("main")',
  'an exception in a thread':
    'import threading\ndef f(): raise ValueError("in thread")\nt = threading.Thread(target=f, name="T"); t.start(); t.join(); print("after")',
  'its folder, and another': 'import os; print(os.getcwd()); os.chdir("/tmp"); print(os.getcwd(), os.listdir())',
  'handlers of signals':
    'import os, signal\nsignal.signal(signal.SIGUSR1, lambda *a: print("caught")); os.kill(os.getpid(), signal.SIGUSR1); print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGPIPE))',
  'an alarm':
    'import signal, time\nsignal.signal(signal.SIGALRM, lambda *a: print("alarm")); signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(0.1)',
  'its environment': 'import os; print(sorted(os.environ.items())); os.environ["X"] = "1"; os.system("echo $X")',
  'its file': 'print(__file__); print(open(__file__).read())',
  'what it is called':
    'print(__name__, __package__, __spec__, __doc__, __cached__, type(__loader__).__name__, __builtins__)',
  'its names': 'print(sorted(globals()))',
  'itself as a module':
    'import sys, __main__; print(sys.modules["__main__"] is __main__, __main__.__dict__ is globals())',
  'the modules that are there': 'import sys; print(sorted(sys.modules))',
  'where modules are looked for': 'import sys; print(sys.path)',
  'a module beside it': 'import helper; print(helper.VALUE, helper.__file__)',
  'a module that is not there': 'import nowhere',
  'a class that is pickled': 'import pickle\nclass A: x = 1\nprint(pickle.loads(pickle.dumps(A())).x, pickle.dumps(A))',
  'its locale and encodings':
    'import sys, locale; print(locale.setlocale(locale.LC_ALL), sys.stdout.encoding, sys.stdin.encoding, sys.getfilesystemencoding(), sys.stderr.errors)',
  'its flags': 'import sys; print(sys.flags, sys.dont_write_bytecode)',
  'its home and its site':
    'import os, site, sys; print(site.USER_BASE, site.USER_SITE, site.ENABLE_USER_SITE, site.PREFIXES, os.path.expanduser("~"), sys._xoptions, sys.warnoptions, sys.prefix, sys.exec_prefix, sys.executable, sys.pycache_prefix)',
  'whose importers are known': 'import sys; print(sorted(sys.path_importer_cache))',
  'its streams':
    'import sys; print(sys.stdout, sys.stdout.line_buffering, sys.stderr.line_buffering, sys.stdin.isatty(), sys.stdout.isatty())',
  'recursion to the limit':
    'def f(n):\n  global d\n  d = n\n  f(n + 1)\ntry: f(1)\nexcept RecursionError as e: print(d, e)',
  'an uncaught recursion': 'def f(): f()\nf()',
  'the order of sets': 'print({"a", "b", "c", "d", "e"}, hash("x"))',
  'random from a seed': 'import random, os; random.seed(os.environ["AGON_SEED"]); print(random.random())',
  'temporary files':
    'import tempfile, os\nwith tempfile.NamedTemporaryFile() as f: print(os.path.dirname(f.name))\nprint(tempfile.gettempdir())',
  'time passes': 'import time; a = time.time(); time.sleep(0.01); print(time.time() > a, time.monotonic() > 0)',
  'its process':
    'import os; print(os.getppid() > 0, os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid(), os.getuid(), os.umask(0))',
  'its descriptors': 'import os; print(sorted(int(f) for f in os.listdir("/proc/self/fd"))[:3])',
  'its limits':
    'import resource; print([resource.getrlimit(r) for r in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_CORE)])',
  warnings: 'import warnings; warnings.warn("careful"); print("after")',
  'an audit of generators': 'def g():\n  try: yield 1\n  finally: print("closed")\nx = g(); next(x); print("body")',
  'asynchronous code': 'import asyncio\nasync def f(): await asyncio.sleep(0.01); return 5\nprint(asyncio.run(f()))',
  'pools of processes':
    'from multiprocessing import Pool\ndef f(x): return x * x\nif __name__ == "__main__":\n  with Pool(2) as p: print(p.map(f, [1, 2, 3]))',
  dataclasses: 'from dataclasses import dataclass\n@dataclass\nclass P:\n  x: int\nprint(P(3), __annotations__)',
  'future annotations': 'from __future__ import annotations\nx: Nowhere = 1\nprint(__annotations__)',
  'a closed output': 'import sys; sys.stdout.close()',
  'an excepthook of its own': 'import sys; sys.excepthook = lambda *a: print("hook", a[0].__name__); 1 / 0',
}

describe.runIf(bubblewrap !== undefined)('a Python program, warm or fresh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agon-warm-'))
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  let opened: Sandbox
  const command = (file: string) => [python, `/bot/${file}`, 'one', 'two words']
  const turn = (file: string, warm: boolean, input?: string) => ({
    argv: command(file),
    env: {
      PATH: '/usr/bin:/bin',
      HOME: '/bot',
      LANG: 'C.UTF-8',
      AGON_SEED: '12345',
      ...interpreterEnvironment([python]),
    },
    folder: '/bot',
    limit: 20_000,
    output: 100_000,
    errors: 1_000_000,
    wipe: true,
    warm,
    input,
  })

  /** Starts the warm parent of a command, as a bot's sandbox does. */
  const warmIn = (place: Sandbox, words: string[]): Promise<boolean> => {
    const { env, ...rest } = turn('', false)
    const argv = warmCommand(words) ?? []
    return place.warm({ ...rest, argv, env: { ...env, HOME: WARM_PLACE.home }, folder: WARM_PLACE.folder })
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'helper.py'), 'VALUE = 5\n')
    for (const [i, text] of Object.values(PROGRAMS).entries()) writeFileSync(join(folder, `p${i}.py`), `${text}\n`)
    writeFileSync(
      join(folder, 'count.py'),
      'import builtins, sys\nbuiltins.n = getattr(builtins, "n", 0) + 1\nsys.setrecursionlimit(500)\nprint(builtins.n)\n',
    )
    writeFileSync(
      join(folder, 'luck.py'),
      'import random, uuid, os\nprint(random.random(), uuid.uuid4(), os.urandom(4).hex())\n',
    )
    const maker = { launcher, bubblewrap: bubblewrap ?? '' }
    opened = await openSandbox(maker, {
      argv: command('p0.py'),
      source: folder,
      limits: DEFAULT_LIMITS,
      tools: WARM_TOOLS,
    })
    if (!(await warmIn(opened, command('p0.py')))) throw new Error('there is no warm parent')
  })
  afterAll(async () => {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(Object.keys(PROGRAMS).map((name, i) => [name, i] as const))('%s: the same', async (_name, i) => {
    const file = `p${i}.py`
    const [warm, fresh] = await Promise.all(
      [true, false].map((mode) => opened.turn(turn(file, mode, 'first line\nsecond line'))),
    )
    const seen = (result: typeof warm) => ({
      end: result?.end,
      out: result?.out,
      stderr: result?.stderr.toString().replace(/0x[0-9a-f]+/g, '0x…'),
    })
    expect(seen(warm)).toEqual(seen(fresh))
  })

  it.each(['count.py', './count.py', './/../bot/./where.py', 'broken.py', 'none.py', 'package', 'null.py'])(
    'a script by a relative path, %s: the same',
    async (path) => {
      writeFileSync(
        join(folder, 'where.py'),
        'import sys; print(__file__, sys.argv, sys.path[0], __loader__.path)\n1 / 0\n',
      )
      writeFileSync(join(folder, 'broken.py'), 'x = = 1\n')
      writeFileSync(join(folder, 'null.py'), 'print(1)\0\n')
      mkdirSync(join(folder, 'package'), { recursive: true })
      writeFileSync(join(folder, 'package', '__main__.py'), 'import sys; print(__file__, sys.argv)\n')
      const words = [python, path, 'one']
      const [warm, fresh] = await Promise.all(
        [true, false].map((mode) => opened.turn({ ...turn('', mode), argv: words })),
      )
      const seen = (result: typeof warm) => [result?.end, result?.out, result?.stderr.toString()]
      expect(seen(warm)).toEqual(seen(fresh))
    },
  )

  it('every exit code comes through', async () => {
    for (const code of [1, 2, 63, 64, 127, 128, 129, 254]) {
      writeFileSync(join(folder, 'code.py'), `raise SystemExit(${code})`)
      expect((await opened.turn(turn('code.py', true))).end).toEqual({ code })
    }
  })

  it('a turn leaves nothing to the next, and draws other chance', async () => {
    const turns = await Promise.all([1, 2, 3].map(() => opened.turn(turn('count.py', true))))
    expect(turns.map(({ out }) => out)).toEqual(['1\n', '1\n', '1\n'])
    const luck = await Promise.all([1, 2, 3].map(() => opened.turn(turn('luck.py', true))))
    expect(new Set(luck.map(({ out }) => out)).size).toBe(3)
  })

  it('a warm parent that was killed is followed by another', async () => {
    writeFileSync(join(folder, 'kill.py'), 'import os\nos.kill(os.getppid(), 9)\nprint("B")\n')
    const as = { end: { code: 0 }, out: 'B\n' }
    expect(await opened.turn(turn('kill.py', true))).toMatchObject(as)
    expect((await opened.turn(turn('count.py', true))).out).toBe('1\n')
    writeFileSync(join(folder, 'stop.py'), 'import os, time\nos.kill(os.getppid(), 19)\nprint("B", flush=True)\n')
    expect(await opened.turn(turn('stop.py', true))).toMatchObject(as)
    expect((await opened.turn(turn('count.py', true))).out).toBe('1\n')
  })

  it('what a turn leaves does not run on while it stops the warm parent', { timeout: 60_000 }, async () => {
    const stops =
      'import os\nparent = os.getppid()\nfor _ in range(3):\n  if os.fork() == 0:\n    while True: os.kill(parent, 19)\nprint("B")\n'
    writeFileSync(join(folder, 'stops.py'), stops)
    for (let n = 0; n < 8; n++) {
      const { end, out, cpuUs } = await opened.turn(turn('stops.py', true))
      expect({ end, out }).toEqual({ end: { code: 0 }, out: 'B\n' })
      // A stopped parent, asked how the turn ended, is awaited for a second.
      expect(cpuUs).toBeLessThan(500_000)
    }
  })

  it('what a script takes to compile is the own time of its turns', { timeout: 60_000 }, async () => {
    // The body of a finally is compiled twice.
    const nested = Array.from({ length: 16 }, (_, n) => `${' '.repeat(n + 1)}try: pass\n${' '.repeat(n + 1)}finally:\n`)
    const long = `def f():\n${nested.join('')}${' '.repeat(17)}x = 1\n`
    writeFileSync(join(folder, 'long.py'), `${long.repeat(8)}print("B")\n`)
    for (const n of [1, 2, 3])
      expect(await opened.turn({ ...turn('long.py', true), limit: 100 }), `turn ${n}`).toMatchObject({
        stop: 'time',
        out: '',
      })
    await warmIn(opened, command('p0.py'))
    expect((await opened.turn(turn('count.py', true))).out).toBe('1\n')
  })

  it("runs nothing of the bot's before the fork, and what a fresh start runs of it in the turn itself", async () => {
    const source = mkdtempSync(join(tmpdir(), 'agon-warm-'))
    chmodSync(source, 0o755)
    const site = execFileSync(python, ['-c', 'import site; print(site.getusersitepackages())'], {
      encoding: 'utf8',
      env: { HOME: '/bot' },
    })
    const user = join(source, site.trim().slice('/bot/'.length))
    const here = `with open("/tmp/marks", "a") as f: f.write(NAME + "\\n")
import os; open("/tmp/marks", "a").write("by %d\\n" % os.getpid())
`
    const plant = (path: string, name: string) => {
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, here.replace('NAME', JSON.stringify(name)))
    }
    // What a start may look for: beside the script, in its folder, at home.
    for (const name of [
      'sitecustomize',
      'usercustomize',
      'atexit',
      'gc',
      'os',
      'site',
      '_socket',
      'encodings',
      'codecs',
    ])
      plant(join(source, `${name}.py`), `beside-${name}`)
    writeFileSync(join(source, 'planted.pth'), PTH.replace('NAME', '"beside-pth"'))
    writeFileSync(join(source, 'pyvenv.cfg'), 'home = /bot\n')
    const text = `import os, sys
marks = open("/tmp/marks").read().split() if os.path.exists("/tmp/marks") else []
by = [int(b) for a, b in zip(marks, marks[1:]) if a == "by"]
print([m for m in marks if not m.isdigit() and m != "by"], sys.path, sys.flags)
print(all(b == os.getpid() for b in by))
`
    writeFileSync(join(source, 'bot.py'), text)
    const run = async (files: () => void) => {
      files()
      const maker = { launcher, bubblewrap: bubblewrap ?? '' }
      const place = await openSandbox(maker, {
        argv: command('bot.py'),
        source,
        limits: DEFAULT_LIMITS,
        tools: WARM_TOOLS,
      })
      expect(await warmIn(place, command('bot.py'))).toBe(true)
      const outs = []
      for (const warm of [true, true, false]) outs.push((await place.turn(turn('bot.py', warm))).out)
      await place.close()
      expect(outs[0]).toContain('\nTrue\n')
      expect(outs).toEqual([outs[0], outs[0], outs[0]])
      return outs[0]
    }
    expect(await run(() => undefined)).toMatch(/^\[\] /)
    const planted = await run(() => {
      for (const name of ['usercustomize', 'sitecustomize']) plant(join(user, `${name}.py`), name)
      plant(join(user, 'codecs.py'), 'codecs')
      writeFileSync(join(user, 'planted.pth'), PTH.replace('NAME', '"pth"'))
    })
    expect(planted).toMatch(/^\['pth', .*'usercustomize'\] /)
    rmSync(source, { recursive: true, force: true })
  })

  it('a warm parent that runs by itself between turns is none', async () => {
    const tool = join(folder, 'spins.py')
    const spins = 'import builtins, threading\nbuiltins.spun = [0]\ndef spin():\n  while True: builtins.spun[0] += 1\n'
    const busy = `${spins}threading.Thread(target=spin, daemon=True).start()\n`
    writeFileSync(tool, busy + readFileSync(WARM_TOOLS['warm.py'] ?? '', 'utf8'))
    writeFileSync(join(folder, 'spun.py'), 'import builtins; print(hasattr(builtins, "spun"))\n')
    const maker = { launcher, bubblewrap: bubblewrap ?? '' }
    const tools = { 'warm.py': tool }
    const place = await openSandbox(maker, { argv: command('spun.py'), source: folder, limits: DEFAULT_LIMITS, tools })
    expect(await warmIn(place, command('spun.py'))).toBe(true)
    const outs = await Promise.all([1, 2].map(() => place.turn(turn('spun.py', true))))
    await place.close()
    expect(outs.map(({ out }) => out)).toEqual(['False\n', 'False\n'])
  })

  it('other commands than a script are not eligible', () => {
    expect(warmCommand(['/usr/bin/python3', '-u', '/bot/a.py', 'x'])).toEqual([
      '/usr/bin/python3',
      '-u',
      '/agon/warm.py',
      '2',
    ])
    expect(warmCommand(['/usr/bin/python3', '-c', 'print(1)'])).toBeUndefined()
    expect(warmCommand(['/usr/bin/python3', 'a.py'])).toEqual(['/usr/bin/python3', '/agon/warm.py', '1'])
    expect(warmCommand(['/usr/bin/python3', '-m', 'bot'])).toBeUndefined()
    expect(warmCommand(['/usr/bin/python3', '-'])).toBeUndefined()
    expect(warmCommand(['/usr/bin/python3'])).toBeUndefined()
    for (const own of [
      '/bot/venv/bin/python3',
      '/usr/../bot/python3',
      '/tmp/python3',
      'python3',
      './python3',
      '/proc/self/cwd/python3',
    ])
      expect(warmCommand([own, '/bot/a.py'])).toBeUndefined()
    expect(warmCommand(['/usr/bin/perl', '/bot/a.pl'])).toBeUndefined()
  })
})
