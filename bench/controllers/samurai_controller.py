"""A plain controller of samurai: a process a turn, one after the other. Usage: samurai_controller GAMES TURNS COMMAND COMMAND, each
command a word that holds its words separated by spaces. Prints the seconds that the games took."""
import subprocess
import sys
import time


def ask(command, words):
    try:
        done = subprocess.run(command + words, capture_output=True, timeout=1, text=True)
    except subprocess.TimeoutExpired:
        return 'W'
    said = done.stdout.strip()[:1]
    return said if said and said in 'WBGIPO' else 'W'


BEATS = {'I': 'O', 'P': 'I', 'O': 'P'}


def game(commands, turns):
    health, honour, history = [20, 20], [1, 1], ['', '']
    for _ in range(turns):
        acts = []
        for i in (0, 1):
            j = 1 - i
            past = [history[i], history[j]] if history[i] else []
            acts.append(ask(commands[i], past + [str(n) for n in (health[i], health[j], honour[i], honour[j])]))
        swords = [own >= 7 for own in honour]
        for i in (0, 1):
            j = 1 - i
            if acts[i] == 'B':
                honour[i] += 1
            if acts[i] in 'IPO' or (acts[i] == 'G' and history[i].endswith('G')):
                honour[i] -= 1
            if acts[i] in 'IPO' and (acts[j] in 'WB' or BEATS[acts[i]] == acts[j]):
                health[j] -= 2 if swords[i] else 1
        history = [history[i] + acts[i] for i in (0, 1)]
        if min(honour) < 0 or min(health) <= 0:
            return


commands = [word.split(' ') for word in sys.argv[3:]]
began = time.monotonic()
for n in range(int(sys.argv[1])):
    game(commands if n % 2 == 0 else commands[::-1], int(sys.argv[2]))
print(time.monotonic() - began)
