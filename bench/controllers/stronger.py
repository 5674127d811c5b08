# A bot of stronger: answers `ok` without arguments, and strikes the weakest who is alive.
import sys

words = sys.argv[1:]
if not words:
    print('ok')
else:
    others = [[int(part) for part in word.split(',')[:3]] for word in words[1:]]
    alive = [(life, who) for who, life, power in others if life > 0 and who != int(words[0])]
    print(min(alive)[1] if alive else 'D')
