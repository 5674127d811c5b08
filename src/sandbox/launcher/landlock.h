/* landlock: what can be written: the private folders of the sandbox alone, above all nothing in /proc. */
#ifndef AGON_LANDLOCK_H
#define AGON_LANDLOCK_H

/*
 * Restricts this process and all that it starts: reads everywhere in the sandbox, writes in its private folders, its state
 * folder and, where they are no -1, what is read from `in` and written to `out`. Gives Landlock's version, or 0: there
 * is none, or it failed.
 */
int restrict_files(int in, int out);

#endif
