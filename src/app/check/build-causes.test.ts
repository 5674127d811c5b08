import { describe, expect, test } from 'vitest'
import { source, symptomOf } from '../../../test/kit/symptom.js'
import { causesOf } from './causes.js'
import { lackingInBuild } from './causes-of-programs.js'
import type { Symptom } from './symptom.js'

describe('what a bot lacks, or is not granted', () => {
  test.each<[what: string, Partial<Symptom>, cause: RegExp]>([
    [
      'a file that a program of Java reads',
      {
        fault: 'silent',
        stays: false,
        stderr:
          'Exception in thread "main" java.io.FileNotFoundException: my data.txt (No such file or directory)\n\tat x',
      },
      /^it does not find my data\.txt:/,
    ],
    [
      'a file that a shell reads',
      { fault: 'silent', stays: false, stderr: 'a.sh: 1: cannot open table.txt: No such file\n' },
      /^it does not find table\.txt:/,
    ],
    [
      'a file that a shell sources',
      { fault: 'silent', stays: false, stderr: 'a.sh: 1: .: cannot open ./helpers.sh: No such file\n' },
      /^it does not find \.\/helpers\.sh:/,
    ],
    [
      'a file that bash sources',
      { fault: 'silent', stays: false, stderr: 'a.sh: line 1: ./helpers.sh: No such file or directory\n' },
      /^it does not find \.\/helpers\.sh:/,
    ],
    [
      'a file that a tool reads',
      { fault: 'silent', stays: false, stderr: 'cat: table.txt: No such file or directory\n' },
      /^it does not find table\.txt:/,
    ],
    [
      'a file that head reads',
      {
        fault: 'silent',
        stays: false,
        stderr: "head: cannot open 'my moves.txt' for reading: No such file or directory\n",
      },
      /^it does not find my moves\.txt:/,
    ],
    [
      'a file that awk reads',
      { fault: 'silent', stays: false, stderr: 'awk: cannot open moves.txt (No such file or directory)\n' },
      /^it does not find moves\.txt:/,
    ],
    [
      'a program of its own that a script calls',
      { fault: 'silent', stays: false, stderr: 'a.sh: 1: ./helper: not found\n' },
      /^it does not find \.\/helper: a bot has only its own files/,
    ],
    [
      'a program that a script calls',
      { fault: 'silent', stays: false, stderr: 'a.sh: 1: jqq: not found\n' },
      /^it calls the program jqq, which is not there/,
    ],
    [
      'a program that a script of bash calls',
      { fault: 'silent', stays: false, stderr: 'a.sh: line 1: jqq: command not found\n' },
      /^it calls the program jqq, which is not there/,
    ],
    [
      'what only bash understands',
      { fault: 'silent', stays: false, word: 'sh a.sh', stderr: 'a.sh: 1: [[: not found\n', ...source('a.sh', '') },
      /^it is written for bash, and sh runs it: .*"bash a\.sh"/,
    ],
    [
      'an import in a CommonJS file, whose warning names package.json',
      {
        fault: 'crash',
        stderr: 'set "type": "module" in the package.json\nSyntaxError: Cannot use import statement outside a module',
      },
      /end in \.mjs, or use require$/,
    ],
    [
      'require in an ES module',
      { fault: 'crash', stderr: 'ReferenceError: require is not defined in ES module scope, you can use import' },
      /use import, or let its name end in \.cjs$/,
    ],
    [
      'the network',
      { fault: 'crash', stderr: 'socket.gaierror: Temporary failure in name resolution' },
      /a bot has none$/,
    ],
    [
      'more processes than it may',
      { fault: 'crash', stderr: 'BlockingIOError: [Errno 11] Resource temporarily unavailable' },
      /more processes or threads .*the option "limit" \(processes=…\)/,
    ],
    ['more memory than it may', { fault: 'crash', stderr: 'MemoryError\n' }, /more memory .*\(memory=…\)/],
    [
      'a Java machine that gets no memory, and does not end',
      { stays: false, stderr: "os::commit_memory failed; error='Not enough space' (errno=12)" },
      /^it needs more memory/,
    ],
    [
      'a flood on standard error',
      { fault: 'flood', why: 'wrote more than 4194304 bytes to its standard error' },
      /^it writes too much to its standard error/,
    ],
    [
      'a source that closes its output, and waits',
      source('a.py', "os.close(1); print('0', flush=True)"),
      /^a\.py closes its standard output/,
    ],
    [
      'an answer on standard error',
      { fault: 'silent', stays: false, stderr: '0\n0\n' },
      /writes its answer to standard error/,
    ],
    ['an answer that is none', { fault: 'unparsable', said: 'None' }, /^it answers None/],
    [
      'an answer that is none, in JSON',
      { fault: 'illegal', wire: 'jsonl', said: '{"action": null}' },
      /^it answers null/,
    ],
    [
      'a source in UTF-16',
      { fault: 'silent', stays: false, ...source('a.sh', '\uFFFD\uFFFDe\0c\0') },
      /^a\.sh is written in UTF-16/,
    ],
    [
      'one that flushes, and waits for a line too many',
      source('a.py', "sys.stdin.readline(); print('0', flush=True)"),
      /^nothing came though it runs: does it wait for more lines than it is sent/,
    ],
    ['a division by zero', { fault: 'crash', why: 'ended by signal SIGFPE' }, /divided a whole number by zero/],
    [
      'an exception that nothing caught',
      { fault: 'crash', why: 'ended by signal SIGABRT', stderr: "terminate called after throwing 'std::out_of_range'" },
      /an exception that nothing caught/,
    ],
  ])('%s', (_, known, cause) => {
    const [first] = causesOf(symptomOf(known))
    expect(first).toMatch(cause)
  })

  test('JSON in the name of a file or a package is no sign of another wire', () => {
    for (const stderr of ['see package.json', "Can't locate JSON/Fooo.pm in @INC (install the JSON::Fooo module)"])
      expect(causesOf(symptomOf({ fault: 'crash', stderr })).join()).not.toMatch(/for JSON/)
  })
})

test('what a build lacks is named where it lies beside the bot', () => {
  const beside = (name: string): boolean => ['Helper.java', 'moves.h', 'ants'].includes(name)
  const java = 'Bot.java:1: error: cannot find symbol\n  move(Helper.one());\n  symbol:   variable Helper\n'
  expect(lackingInBuild(java, [], [], beside)).toMatch(/^it does not find Helper\.java: .* folder = "\."/)
  expect(lackingInBuild(java.replaceAll('Helper', 'Helpr'), [], [], beside)).toBeUndefined()
  expect(lackingInBuild('a.c:1:10: fatal error: moves.h: No such file or directory\n', [], [], beside)).toMatch(
    / moves\.h:/,
  )
  expect(lackingInBuild('A.java:1: error: package ants.red does not exist\n', [], [], beside)).toMatch(/ ants:/)
})

test.each([
  [
    'error: file not found: Bot.java\nUsage',
    ['javac', 'Bot.java'],
    'MyBot.java',
    '',
    /^its build names Bot\.java, which is not there \(did you mean "MyBot\.java"\?\)/,
  ],
  ['cc1: error: bot.c: No such file or directory', ['cc', 'bot.c'], 'bott.c', '', /^its build names bot\.c/],
  [
    'Bot.java:3: error: cannot find symbol\n  symbol:   variable Agon\n',
    ['javac', 'Bot.java'],
    'Bot.java',
    'package bots;\n',
    /^Bot\.java is in a package/,
  ],
  ["(.text+0x17): undefined reference to `main'", ['c++', 'bot.cpp'], 'bot.cpp', '', /has a main\(\)/],
  [
    "undefined reference to `choose(agon::Value const&)'",
    ['c++', 'bot.cpp'],
    'choose.cpp',
    'choose',
    /^its build leaves out choose\.cpp, which has choose/,
  ],
] as const)('what a build of files lacks: %s', (log, words, file, text, why) => {
  expect(lackingInBuild(log, [{ file, text }], words, () => false)).toMatch(why)
  // What it says of anything else is no sign of that.
  expect(lackingInBuild("bot.cpp:3:13: error: expected ';'", [{ file, text }], words, () => false)).toBeUndefined()
})
