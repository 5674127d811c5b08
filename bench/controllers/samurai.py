# A bot of samurai: bows, and meets the enemy's last action.
import sys

words = sys.argv[1:]
enemy = words[1] if len(words) > 5 else ''
honour = int(words[-2])
print('B' if honour < 2 or not enemy else {'O': 'I', 'P': 'O', 'I': 'P', 'B': 'O', 'W': 'P', 'G': 'B'}[enemy[-1]])
