"""A plain controller of coup, as far as its bots play it (taxes, foreign aid, coups, all let through): a process a decision. Usage:
coup_controller GAMES COMMAND COMMAND, each a word that holds its words separated by spaces. Prints the seconds that the games took."""
import os
import random
import subprocess
import sys
import tempfile
import time

GIVEN = {'~': '_', '^': "'", '*': '<', '!': '=', '$': '0'}


def game(commands, path):
    deck = list('~^*!$' * 3)
    random.shuffle(deck)
    hands, coins, text = [[deck.pop(), deck.pop()], [deck.pop(), deck.pop()]], [1, 1], ''

    def ask(who, moves):
        with open(path, 'w') as file:
            file.write(text)
        words = [path, str(coins[1 - who]), str(coins[who]), ''.join(hands[who])] + moves
        try:
            done = subprocess.run(commands[who] + words, stdout=subprocess.PIPE, timeout=1)
        except subprocess.TimeoutExpired:
            return None
        with open(path) as file:
            after = file.read()
        added = after[len(text):]
        return added if done.returncode == 0 and after.startswith(text) and added in moves else None

    actor = 0
    for _ in range(60):
        other = 1 - actor
        moves = ['I\n', 'F', 'E', 'S', 'T'] if text == '' else ['I\n', 'F', 'E', 'T']
        if text and coins[actor] >= 3:
            moves.append('A')
        if text and coins[actor] >= 7:
            moves.append('C')
        if text and coins[other] > 0:
            moves.append('S')
        act = ask(actor, ['C'] if coins[actor] >= 10 else moves)
        if act is None or act[0] not in 'IFTC':
            return other
        text += act
        if act == 'I\n':
            coins[actor] += 1
        else:
            given = [GIVEN[card] for card in hands[other]]
            answer = ask(other, given if act == 'C' else ['d', 'p'] if act == 'F' else ['p', 'q'])
            if answer is None or answer in 'dq':
                return actor
            text += answer
            if act == 'C':
                hands[other].pop(given.index(answer))
                coins[actor] -= 7
                if not hands[other]:
                    return actor
            if ask(actor, ['\n']) is None:
                return other
            text += '\n'
            coins[actor] += {'T': 3, 'F': 2, 'C': 0}[act]
        actor = other
    return None


commands = [word.split(' ') for word in sys.argv[2:]]
with tempfile.TemporaryDirectory() as folder:
    began = time.monotonic()
    for n in range(int(sys.argv[1])):
        game(commands if n % 2 == 0 else commands[::-1], os.path.join(folder, 'game.txt'))
    print(time.monotonic() - began)
