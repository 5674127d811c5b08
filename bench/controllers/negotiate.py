# A bot of negotiate: courts the strongest lords.
import sys


def numbers():
    return [int(word) for word in sys.stdin.readline().split()]


print('READY', flush=True)
turns, daimyo, lords = numbers()
forces = numbers()
order = sorted(range(lords), key=lambda lord: -forces[lord])
while True:
    turn, time = sys.stdin.readline().split()
    for _ in range(lords + 1):
        sys.stdin.readline()
    if time == 'D':
        sys.stdin.readline()
    count = 5 if time == 'D' else 2
    print(*[order[i % 3] for i in range(count)], flush=True)
    if int(turn) == turns:
        break
