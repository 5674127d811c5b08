import { describe, expect, test } from 'vitest'
import { source, symptomOf } from '../../../test/kit/symptom.js'
import { causesOf } from './causes.js'
import { strangeKeys } from './causes-of-programs.js'
import type { Symptom } from './symptom.js'

const JAVA_DOUBLE = 'java.lang.ClassCastException: class java.lang.Double cannot be cast to class java.lang.Integer'

describe('what has probably caused a fault', () => {
  test.each<[what: string, Partial<Symptom>, cause: RegExp]>([
    [
      'a script with CRLF',
      { fault: 'unparsable', ...source('a.sh', 'echo B\r\n') },
      /^a\.sh has Windows line ends \(CRLF\)/,
    ],
    [
      'CRLF behind a first line that names an interpreter',
      { fault: 'crash', ...source('a', '#!/bin/awk\r\n') },
      /CRLF/,
    ],
    [
      'a byte order mark',
      { fault: 'silent', ...source('a.sh', '\uFEFFecho B\n') },
      /^a\.sh begins with a byte order mark/,
    ],
    [
      'an interpreter of the first line that is not there',
      { fault: 'refused', why: 'could not be started: ENOENT', ...source('bot', '#!/usr/bin/pythonn3\n') },
      /^the first line of bot names \/usr\/bin\/pythonn3, which is not there/,
    ],
    [
      'no first line',
      { fault: 'silent', stays: false, stderr: '/bot/bot: 1: Syntax error: word', ...source('bot', 'print("B")\n') },
      /^bot has no first line .* "python3 bot"$/,
    ],
    [
      'a source that is not built',
      { fault: 'silent', stays: false, word: 'sh a.cpp', ...source('a.cpp', 'int main() {}') },
      /^a\.cpp is to be compiled: name the file alone/,
    ],
    [
      'a reader of JSON that takes no other line',
      source('a.py', 'try: json.loads(line)\nexcept ValueError: pass'),
      /reads its input as JSON/,
    ],
    [
      'a reader of input where there is none',
      { fault: 'crash', stays: false, stderr: 'EOFError: EOF when reading a line' },
      /stands in its arguments$/,
    ],
    ['an object', { fault: 'crash', stays: undefined, why: 'returned object, not a text' }, /return the action itself/],
    ['a closed output', { fault: 'crash', stderr: 'OSError: [Errno 9] Bad file descriptor' }, /output that is closed/],
    [
      'a question to the user',
      { fault: 'unparsable', said: 'Your move? 0', ...source('a.py', "x = input('Your move? ')") },
      /prints its prompt there: call input\(\) without one, or print it to standard error \(stderr\)/,
    ],
    [
      'silence with an error',
      { fault: 'silent', stays: false, stderr: 'a: 1: foo: wrong\n' },
      /may say why: a: 1: foo/,
    ],
    [
      'a module that is none',
      { fault: 'refused', why: 'its default export is undefined', stays: undefined, word: 'x.js' },
      /"node x\.js"$/,
    ],
    [
      'an answer in JSON',
      { fault: 'unparsable', said: '{"action":"0"}' },
      /answers in JSON.*the option "wire" \(jsonl\)/,
    ],
    ['a half answer in JSON', { fault: 'unparsable', said: '{"action": "0' }, /the option "wire" \(jsonl\)/],
    [
      'a reader of JSON',
      { fault: 'crash', stderr: 'json.decoder.JSONDecodeError: Expecting value' },
      /the option "wire" \(jsonl\)/,
    ],
    [
      'no JSON where it is wanted',
      { fault: 'unparsable', wire: 'jsonl', said: 'left', ...source('a.sh', 'echo left') },
      /a line of JSON, \{"action":"…"\}/,
    ],
    [
      'a package that is not there',
      { fault: 'crash', stderr: "ModuleNotFoundError: No module named 'numpy'" },
      /does not find numpy/,
    ],
    [
      'a file that is not there',
      { fault: 'crash', stderr: "python3: can't open file '/bot/x.py'" },
      /does not find \/bot\/x\.py/,
    ],
    ['small letters', { fault: 'illegal', said: 'w\n' }, /^it means "W"/],
    ['quotes', { fault: 'illegal', said: '"1"' }, /^it means "1"/],
    ['an action that is not legal', { fault: 'illegal', said: 'x' }, /^legal was "0", "1", "W"$/],
    ['no line end', { said: '0' }, /no line end: end each answer with/],
    ['a program that does not end', { said: 'B', stays: false }, /the program ends with its answer/],
    ['a late answer', { why: 'took 1,850 ms of 1,000' }, /too late/],
    [
      'no answer, and that late: what stopped it',
      {
        why: 'took 3,447 ms of 1,000, and printed nothing',
        stays: false,
        stderr: 'Exception in thread "main" java.nio.file.NoSuchFileException: data.txt\n\tat Bot.main(Bot.java:3)\n',
      },
      /^it does not find data\.txt:/,
    ],
    [
      'no answer, and that late, with an error of its own',
      { why: 'took 3,447 ms of 1,000, and printed nothing', stays: false, stderr: 'KeyError: 3\n' },
      /without an answer.*KeyError: 3$/,
    ],
    ['a late answer with its line end', { why: 'took 1,331 ms of 1,000', said: '0' }, /too late/],
    [
      'Python that does not flush',
      source('a.py', "print('0')"),
      /a\.py prints and does not flush: print\(…, flush=True\)/,
    ],
    ['Perl that does not flush', source('a.pl', 'print "0\\n";'), /\$\| = 1/],
    ['C that does not flush', source('a.c', 'printf("0\\n");'), /fflush/],
    ['Java that does not flush', source('A.java', 'new PrintWriter(System.out)'), /flush/],
    ['Perl that reads all', source('a.pl', 'my @all = <STDIN>; $| = 1; print 1'), /reads to the end of its input/],
    [
      'Python that reads all',
      source('a.py', 'for l in sys.stdin.readlines(): print(l, flush=True)'),
      /reads to the end of its input/,
    ],
    ['nothing that its source shows', source('a', ''), /does it flush .*end of its input.*the option "wire"/],
    [
      'a process a question that waits',
      { stays: false },
      /wait in a loop for standard input, which is empty here\? .* arguments/,
    ],
    [
      'one that is not ready',
      { fault: 'refused', why: 'was not ready: no whole line', ...source('a.py', 'print(1)') },
      /flush=True/,
    ],
    ['a wrong pointer', { fault: 'crash', why: 'signal SIGSEGV' }, /fsanitize/],
    ['too much memory', { fault: 'crash', why: 'signal SIGKILL' }, /memory/],
    ['one that answers once', { fault: 'crash', why: 'ended with exit code 0' }, /a program stays/],
    [
      'a file that it may not write',
      { fault: 'crash', stderr: "OSError: [Errno 30] Read-only file system: 'log'" },
      /may write in \/tmp/,
    ],
    [
      'debug text',
      { fault: 'unparsable', said: 'ammo 3' },
      /to standard error \(stderr\): print\(…, file=sys\.stderr\)$/,
    ],
    ['UTF-16', { fault: 'unparsable', said: '\u00FF\u00FE0\0' }, /^it writes its answer in UTF-16, little-endian/],
    ['UTF-16 the other way', { fault: 'unparsable', said: '\u00FE\u00FF\u00000' }, /UTF-16, big-endian/],
    ['a byte order mark in an answer', { fault: 'unparsable', said: '\u00EF\u00BB\u00BF0' }, /without BOM/],
    ['a NUL', { fault: 'unparsable', said: '0\0' }, /^its answer holds NUL bytes/],
    ['a whole number as a fraction', { fault: 'unparsable', said: '1.0\n' }, /^it means "1"/],
    [
      'a package that is not there, of a program that is started for each question',
      { fault: 'silent', stays: false, stderr: "Traceback:\nModuleNotFoundError: No module named 'numpy'\n" },
      /does not find numpy/,
    ],
    [
      'a file that it opens by a relative path',
      { fault: 'crash', stderr: "FileNotFoundError: [Errno 2] No such file or directory: 'data.txt'" },
      /does not find data\.txt/,
    ],
    [
      'a file that a program of Node.js opens',
      { fault: 'crash', stderr: "Error: ENOENT: no such file or directory, open 'data.txt'" },
      /does not find data\.txt/,
    ],
    [
      'one that forks and ends',
      { fault: 'crash', why: 'ended with exit code 0', ...source('a.py', 'if os.fork(): os._exit(0)') },
      /^a\.py starts another process, and the first one ends/,
    ],
    [
      'a shell that leaves its answer to the background',
      { fault: 'silent', stays: false, ...source('a.sh', '(sleep 1; echo B) &\n') },
      /^a\.sh starts another process/,
    ],
    [
      'silence with a traceback: its last line',
      { fault: 'silent', stays: false, stderr: 'Traceback (most recent call last):\n  x\nKeyError: 3\n' },
      /may say why: KeyError: 3$/,
    ],
    [
      'silence with an error of Node.js, which ends in its version',
      {
        fault: 'silent',
        stays: false,
        stderr: 'a.js:1\n\nTypeError: x is not a function\n  at a\n\nNode.js v20.1.0\n',
      },
      /may say why: TypeError: x is not a function$/,
    ],
    [
      'a number',
      { fault: 'unparsable', wire: 'jsonl', said: '{"action": 0}' },
      /^its action is a number.*such as "0"$/,
    ],
    ['a list', { fault: 'unparsable', wire: 'jsonl', said: '{"action":["W"]}' }, /^its action is a list/],
    ['no action at all', { fault: 'unparsable', wire: 'jsonl', said: '{}' }, /^its answer has no action/],
    ['an empty action', { fault: 'illegal', said: '' }, /^its answer is an empty text/],
    [
      'an action by its meaning',
      { fault: 'illegal', said: 'Bow', legal: ['B'], actions: { B: 'bow', G: 'guard' } },
      /^it means "B" \(bow\)/,
    ],
    [
      'a kit that is never asked to play',
      {
        fault: 'crash',
        why: 'ended with exit code 0',
        texts: [
          { file: 'bot.py', text: 'import agon\ndef choose(view, legal): return "W"\n' },
          { file: 'agon.py', text: 'def play(choose): pass' },
        ],
      },
      /^bot\.py never plays: agon\.py reads the questions .*agon\.play\(choose\)$/,
    ],
    [
      'a kit that prints its action',
      { fault: 'unparsable', wire: 'jsonl', said: 'W\n', texts: [{ file: 'agon.sh', text: '' }] },
      /agon\.sh prints the answers: set action=W/,
    ],
    ['a whole number of Java', { fault: 'crash', stderr: JAVA_DOUBLE }, /\(\(Double\) view\.get/],
    [
      'a dict as an object',
      { fault: 'crash', stderr: "AttributeError: 'dict' object has no attribute 'honour'" },
      /view\["honour"\]$/,
    ],
    [
      'its own file as a package',
      {
        fault: 'crash',
        stderr: "Cannot find package 'agon' imported from /bot/bot.mjs",
        texts: [{ file: 'Bot/agon.mjs', text: '' }],
      },
      /import … from '\.\/agon\.mjs'$/,
    ],
    [
      'an assignment with blanks',
      {
        fault: 'illegal',
        said: '',
        stderr: 'bot.sh: 2: action: not found',
        ...source('bot.sh', 'choose() {\n  action = B\n}'),
      },
      /write action=…, without blanks/,
    ],
    [
      'a function that is defined too late',
      {
        fault: 'illegal',
        said: '',
        stderr: 'bot.sh: 8: choose: not found',
        ...source('bot.sh', 'play\nchoose() {\n  action=B\n}'),
      },
      /calls choose before it defines it/,
    ],
    [
      'a reader of lines that is given arguments',
      { fault: 'silent', stays: false, ...source('a.py', 'for line in sys.stdin: print(json.loads(line))') },
      /as lines of JSON, and this wire gives them as arguments: the option "wire" \(jsonl\)/,
    ],
    [
      'a reader of input that is given arguments',
      { fault: 'silent', stays: false, stderr: 'IndexError: x', ...source('a.py', 'sys.stdin.readline()[0]') },
      /^it reads standard input, which is empty/,
    ],
    [
      'a misspelt part of the view',
      {
        fault: 'crash',
        why: 'ended with exit code 1',
        keys: ['honour', 'turn'],
        ...source('a.py', 'x = view["honor"]'),
      },
      /^a\.py asks the view for "honor", which it has not \(did you mean "honour"\?\)$/,
    ],
    [
      'a file of the kit that was left behind',
      { fault: 'crash', stderr: "ModuleNotFoundError: No module named 'agon'", ...source('bot.py', 'import agon') },
      /name the bot's folder/,
    ],
    [
      'a module without a default',
      {
        fault: 'refused',
        why: 'its default export is undefined',
        stays: undefined,
        ...source('bot.ts', 'export const bot = 1'),
      },
      /^bot\.ts exports no function by default/,
    ],
    ['a function that does not return', { stays: undefined, why: 'no answer' }, /^its function does not return/],
    [
      'a module that does not load',
      { fault: 'refused', why: 'no whole line within 20000 ms', stays: undefined },
      /^what stands at the top of its file never ends/,
    ],
    ['nothing returned', { fault: 'silent', stays: undefined }, /return the action/],
  ])('%s', (_, known, cause) => {
    const [first] = causesOf(symptomOf(known))
    expect(first).toMatch(cause)
  })

  test.each([
    ['bot.cpp', 'view["honor"].number()'],
    ['bot.c', 'agon_get(view, "honor")'],
    ['bot.mjs', 'play((view) => view.honor)'],
    ['bot.sh', 'get honor'],
    ['bot.pl', '$view->{honor}'],
    ['bot.rb', 'view[:honor]'],
    ['Bot.java', 'view.get("honor")'],
  ])('a part of the view that there is not is found in %s', (file, text) => {
    expect(strangeKeys([{ file, text }], ['turn', 'honour'])).toEqual([
      `${file} asks the view for "honor", which it has not (did you mean "honour"?)`,
    ])
    expect(strangeKeys([{ file, text: text.replace('honor', 'honour') }], ['turn', 'honour'])).toEqual([])
    // What is unlike all parts is not meant as one; and a kit's own file speaks of others.
    expect(strangeKeys([{ file, text: text.replace('honor', 'mylist') }], ['turn', 'honour'])).toEqual([])
    expect(strangeKeys([{ file: 'agon.sh', text: 'get honor' }], ['honour'])).toEqual([])
  })

  test('one that forks and ends is told only that', () => {
    const causes = causesOf(
      symptomOf({ fault: 'crash', why: 'ended with exit code 0', ...source('a.py', 'if os.fork(): os._exit(0)') }),
    )
    expect(causes).toHaveLength(1)
  })

  test('beside what is certain nothing else is named', () => {
    const missing = {
      fault: 'crash',
      why: 'ended with exit code 0',
      stderr: "No module named 'numpy'\nBroken pipe",
    } as const
    expect(causesOf(symptomOf(missing))).toEqual([expect.stringMatching(/^it does not find numpy/)])
  })

  test('nothing is guessed where a bot flushes and is merely slow, or crashes and says nothing', () => {
    expect(causesOf(symptomOf({ fault: 'crash', why: 'ended with exit code 1' }))).toEqual([])
    expect(causesOf(symptomOf({ ...source('a.py', 'print(1, flush=True)') }))[0]).not.toMatch(
      /prints and does not flush/,
    )
    // A script of Python runs with CRLF.
    expect(causesOf(symptomOf({ fault: 'silent', ...source('a.py', 'x = 1\r\n') }))[0]).not.toMatch(/CRLF/)
  })

  const JSON_ANSWER = { fault: 'unparsable', wire: 'jsonl' } as const
  const READER = source('a.py', 'move = json.loads(line)')
  const traceback = (error: string): string =>
    `Traceback (most recent call last):\n  File "/bot/a.py", line 7, in <module>\n    x()\n  File "/usr/lib/python3/json.py", line 3, in x\n${error}`
  const times = (own: number, charged: number, wall = charged) => ({
    wallMs: wall,
    ownMs: own,
    chargedMs: charged,
    limitMs: 1000,
  })

  test.each<[what: string, Partial<Symptom>, cause: RegExp]>([
    [
      'a banner',
      { ...JSON_ANSWER, said: 'Kestrel 2 is here', ...READER },
      /answers alone, a line of JSON each.*print it to standard error \(stderr\): print\(…, file=sys\.stderr\)$/,
    ],
    ['a debug print', { ...JSON_ANSWER, said: 'turn 1', ...READER }, /print it to standard error/],
    [
      'a prompt before an answer',
      { ...JSON_ANSWER, said: '> {"action": "W"}', ...source('a.py', "json.loads(input('> '))") },
      /input\(…\) prints its prompt there.*standard error/,
    ],
    [
      'another key',
      { ...JSON_ANSWER, said: '{"turn":3,"play":"W"}' },
      /^the key is `action`, and not `play`: \{"action":"W"\}$/,
    ],
    ['a dict of Python', { ...JSON_ANSWER, said: "{'action': 'W'}" }, /json\.dumps/],
    ['an action without JSON', { ...JSON_ANSWER, said: 'w' }, /^it prints its action alone.*\{"action":"W"\}$/],
    ['an action as a text of JSON', { ...JSON_ANSWER, said: '"W"' }, /^it prints its action alone/],
    ['a list', { ...JSON_ANSWER, said: '["W"]' }, /^its answer is a list/],
    ['NaN', { ...JSON_ANSWER, said: '{"action":"W","worth":NaN}' }, /^its answer holds NaN, which JSON does not have/],
    [
      'no end of a number',
      { ...JSON_ANSWER, said: '{"worth": -Infinity, "action": "W"}' },
      /^its answer holds Infinity/,
    ],
    [
      'two objects on a line',
      { ...JSON_ANSWER, said: '{"action":"W"} {"action":"0"}' },
      /^2 answers stand on one line/,
    ],
    ['JSON over several lines', { ...JSON_ANSWER, said: '{' }, /^its JSON goes over several lines/],
    [
      'JSON without quotes',
      { ...JSON_ANSWER, said: '{action: "W"}' },
      /^its JSON is broken \(.+\): let a library write it/,
    ],
    [
      'a name with flush in it',
      { word: 'python3 flusher.py', ...source('flusher.py', '# must flush\ndef noflush(): pass\nprint(1)') },
      /flusher\.py prints and does not flush/,
    ],
    [
      'a comment of C that speaks of fflush()',
      source('a.c', '/* fflush() */ puts("0"); // fflush(stdout)'),
      /does not flush/,
    ],
    ['a loop without end', { times: times(4900, 5000) }, /^it computes without end/],
    [
      'one that is always late',
      { why: 'took 1,700 ms of 1,000', said: '0', times: { ...times(1600, 1700) } },
      /^it answers, but too late: give it less to compute \(1,700 ms by the wall, 1,600 ms of its own computing, 1,700 ms charged\)$/,
    ],
    [
      'one that sleeps',
      { why: 'took 1,700 ms of 1,000', said: '0', times: times(3, 1700) },
      /waits rather than computes/,
    ],
    [
      'a busy machine',
      { why: 'took 1,100 ms of 1,000', said: '0', times: times(1000, 1100, 4000) },
      /\(4,000 ms by the wall, 1,000 ms of its own computing, 1,100 ms charged\): the machine was busy: check again$/,
    ],
    [
      'an interpreter that is only a stand-in',
      {
        fault: 'crash',
        why: 'ended with exit code 127',
        word: 'python2 a.py',
        stderr: '/x/shims/python2: line 12: /x/libexec/pyenv: No such file or directory',
      },
      /^python2 is not there .*pyenv.*: name python3 instead$/,
    ],
    [
      'an interpreter of the first line that env does not find',
      { fault: 'crash', why: 'ended with exit code 127', stderr: 'env: ‘python2’: No such file or directory' },
      /^python2 is not there: name python3/,
    ],
    [
      'Python 2',
      { fault: 'crash', stderr: "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?" },
      /^it is written for Python 2/,
    ],
    [
      'a newer Python',
      {
        fault: 'crash',
        stderr: '  File "/bot/a.py", line 1\n    type Action = str\n         ^^^^^^\nSyntaxError: invalid syntax',
      },
      /^it is written for a newer Python .*type Action = str/,
    ],
    [
      'a file outside that it would write',
      {
        fault: 'crash',
        stderr: "FileNotFoundError: [Errno 2] No such file or directory: '/var/my.log'",
        ...source('a.py', "open('/var/my.log', 'a')"),
      },
      /^it writes to \/var\/my\.log, and a bot may write in \/tmp/,
    ],
    [
      'an error of its own',
      { fault: 'crash', why: 'ended with exit code 1', stderr: traceback('KeyError: 3') },
      /^an error of its own, which nothing in it catches: KeyError: 3 \(a\.py, line 7\)$/,
    ],
    [
      'a data file that is no text',
      {
        ...JSON_ANSWER,
        said: 'hello',
        texts: [...READER.texts, { file: 'weights.npy', text: "\uFFFDNUMPY\u0001\0v\0{'descr': '<f4'\n\0\0" }],
      },
      /^standard output is for answers alone/,
    ],
    [
      'a bot that was compiled',
      { ...JSON_ANSWER, said: 'hello', texts: [{ file: 'bot', text: '\u007fELF\u0002\u0001\u0001\0\0\0\0' }] },
      /^standard output is for answers alone/,
    ],
  ])('%s gets its true cause, and no other', (_, known, cause) => {
    expect(causesOf(symptomOf(known))).toEqual([expect.stringMatching(cause)])
  })
})
