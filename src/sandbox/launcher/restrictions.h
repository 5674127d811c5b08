/* restrictions: what a bot's programs may do; this process puts them on itself, and all that it starts inherits them. */
#ifndef AGON_RESTRICTIONS_H
#define AGON_RESTRICTIONS_H

/*
 * Reads everywhere in the sandbox, writes in its private folders, its state folder and, unless they are -1, what is read
 * from `in` and written to `out`; above all nothing in /proc. Gives Landlock's version, or 0: there is none, or it failed.
 */
int restrict_files(int in, int out);

/* Only the calls of calls.h. `alike`: no memory that is shared and has no file. Gives whether that holds. */
int restrict_calls(int alike);

/*
 * Has this process notified of each call of the family that sends SIGKILL, or makes the kernel send it (`notices`). If
 * the kernel cannot, or who started agon listens already, nothing is noticed.
 */
void notice_kills(void);

/*
 * No call of the family sends SIGCONT, or makes the kernel send it later: once stopped, it stays so until the next
 * question. Gives whether that holds.
 */
int refuse_continues(void);

#endif
