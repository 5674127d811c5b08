/*
 * filter-signals: what becomes of a family's calls that send a signal which this process alone may send, or has to learn
 * of.
 */
#ifndef AGON_FILTER_SIGNALS_H
#define AGON_FILTER_SIGNALS_H

/*
 * Has this process notified of each call of the family that sends SIGKILL, or makes the kernel send it (notices.h). Where
 * the kernel cannot, or who started agon listens already, nothing is noticed.
 */
void notice_kills(void);

/*
 * No call of the family sends SIGCONT, or makes the kernel send it later: once stopped, it stays so until the next
 * question. Gives whether that holds.
 */
int refuse_continues(void);

#endif
