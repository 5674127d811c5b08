import { expect, test } from 'vitest'
import { conventions } from './conventions.js'

const warningsOf = (text: string, file = 'AntPlayer.hpp'): string[] =>
  conventions([{ file, text }]).map(({ line, text: what }) => `${line}: ${what}`)

test('an entry as the text asks for gets no warning', () => {
  const header = `#pragma once
#define LONG \\
  int global = 1;
#include "Player.hpp"
// int x = 1;
/* int y = 2; */
using namespace std;
class Helper;
class AntPlayer final : public Player
{
public:
    AntPlayer(size_t opponent = -1) : Player(opponent), n{1'000} {}
    Action fight() override { int ammo = getAmmo(); return ammo ? bullet() : load(); }
    void perceive(Action a) override;
private:
    static int seen[2];
    int n;
    std::string text = "class X { } ; int z;", raw = R"(" int w = 1; )";
};
`
  const source = `#include "AntPlayer.hpp"
int AntPlayer::seen[2] = {0, 0};
void AntPlayer::perceive(Action a) { Player::perceive(a); if (a == LOAD) { seen[0]++; } }
`
  expect(
    conventions([
      { file: 'AntPlayer.hpp', text: header },
      { file: 'AntPlayer.cpp', text: source },
      { file: 'AntPlayer.txt', text: 'int data = 1;' },
    ]),
  ).toEqual([])
})

test('a class that is not final, or inherits in private', () => {
  expect(warningsOf('\nclass AntPlayer : public Player {};')).toEqual(['2: the class AntPlayer is not declared final'])
  expect(warningsOf('class AntPlayer final : Player {};')).toEqual([
    '1: the class AntPlayer does not inherit Player in public',
  ])
  expect(warningsOf('struct AntPlayer final : Player {};')).toEqual([])
  expect(warningsOf('class Other : public Player {};')).toEqual(['1: the class Other is not declared final'])
})

test('what is in the global scope', () => {
  const own = 'class AntPlayer final : public Player {};\n'
  expect(warningsOf(`${own}int n;\nstatic std::vector<int> seen{1, 2};\nint f(int a) { return a; }`)).toEqual([
    '2: n is declared or initialised in the global scope',
    '3: seen is declared or initialised in the global scope',
    '4: f is declared in the global scope',
  ])
  expect(
    warningsOf(`${own}namespace {\nconst int N = 3;\n}\nstruct Cell { int x; };\nnamespace ant { int m; }`),
  ).toEqual(['3: N is declared or initialised in the global scope', '5: the type Cell is in the global scope'])
})

test('what is not virtual and is overridden', () => {
  const text =
    'class AntPlayer final : public Player {\npublic:\n  Action fight() { return load(); }\n  int getAmmo() const { return 9; }\n};'
  expect(warningsOf(text)).toEqual(['4: getAmmo of Player is not virtual and must not be overridden'])
})

test('a file that is called otherwise', () => {
  const files = [
    { file: 'ant/AntPlayer.hpp', text: 'class AntPlayer final : public Player {};' },
    { file: 'ant/notes.txt', text: '' },
  ]
  expect(conventions(files)).toEqual([
    { file: 'ant/notes.txt', line: 1, text: "the file's name does not begin with AntPlayer" },
  ])
})

test.each([
  '/*',
  '"',
  "'",
  'R"(',
  '{',
  '}',
  '(',
  'class ',
  'class A:',
  'namespace{',
  'a::',
  '#\\\n',
  'x{},',
  'public:',
  '<',
])('a text of %j without end is read', (part) => {
  expect(() => conventions([{ file: 'A.hpp', text: part.repeat(100_000 / part.length) }])).not.toThrow()
})
