/* wipe: empties folders that a bot has written in, or leaves in them what is kept and nothing else. */
#ifndef AGON_WIPE_H
#define AGON_WIPE_H
#include <stdint.h>

/* Empties a folder, but what is mounted in it. A folder that is not there is empty. */
void wipe_tree(const char *folder);

/*
 * Makes a state folder hold what is kept of it, and nothing else that could be read back: plain files of one mode and
 * one time, in folders that hold some. Links, pipes, sockets, empty folders, and what lies too deep or has too long a
 * path are removed. Gives the bytes of all names.
 */
uint64_t tidy_tree(const char *folder);

#endif
