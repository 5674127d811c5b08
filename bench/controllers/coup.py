# A bot of coup: a coup where it has the coins, else foreign aid; lets everything pass, and gives up its first card.
import sys

moves = sys.argv[5:]
wanted = [move for kind in 'Cp\nF' for move in moves if move[0] == kind]
with open(sys.argv[1], 'a') as file:
    file.write((wanted or moves)[0])
