"""A plain controller of negotiate: a process a game for each daimyo, asked one after the other. Usage: negotiate_controller GAMES
COMMAND COMMAND COMMAND COMMAND, each a word that holds its words separated by spaces. Prints the seconds that the games took."""
import random
import subprocess
import sys
import time

TURNS, LORDS = 9, 6


def game(commands):
    bots = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) for command in commands
    ]
    for bot in bots:
        if bot.stdout.readline().strip() != 'READY':
            raise SystemExit('a bot is not ready')
    forces = [random.randint(3, 6) for _ in range(LORDS)]
    for bot in bots:
        bot.stdin.write(f'{TURNS} {len(bots)} {LORDS}\n{" ".join(map(str, forces))}\n')
    open_, real = [[[0] * LORDS for _ in bots] for _ in range(2)]
    visits = [0] * LORDS
    for turn in range(1, TURNS + 1):
        day = turn % 2 == 1
        answers = []
        for i, bot in enumerate(bots):
            seats = [i] + [j for j in range(len(bots)) if j != i]
            lines = [f'{turn} {"D" if day else "N"}']
            lines += [' '.join(str(open_[seat][lord]) for seat in seats) for lord in range(LORDS)]
            lines.append(' '.join(map(str, real[i])))
            if day:
                lines.append(' '.join(map(str, visits)))
            bot.stdin.write('\n'.join(lines) + '\n')
            answers.append([int(word) for word in bot.stdout.readline().split()])
        visits = [0] * LORDS
        for i, lords in enumerate(answers):
            if len(lords) != (5 if day else 2):
                raise SystemExit('a wrong number of lords')
            for lord in lords:
                real[i][lord] += 1 if day else 2
                if day:
                    open_[i][lord] += 1
                else:
                    visits[lord] += 1
        if turn == 5:
            open_ = [row[:] for row in real]
    for bot in bots:
        bot.stdin.close()
        bot.wait()


commands = [word.split(' ') for word in sys.argv[2:]]
began = time.monotonic()
for n in range(int(sys.argv[1])):
    game(commands[n % 4:] + commands[:n % 4])
print(time.monotonic() - began)
