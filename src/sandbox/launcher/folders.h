/*
 * folders: the folders of a sandbox that a bot may write: the private ones, emptied after a turn, and the state that it
 * may keep.
 */
#ifndef AGON_FOLDERS_H
#define AGON_FOLDERS_H
#include <stdint.h>
#include "frames.h"

enum { MAX_PRIVATE = 8 };
extern const char *private_folders[MAX_PRIVATE];
extern int private_fds[MAX_PRIVATE], private_count; /* open once `open_private_folders` was called */
extern const char *state_folder; /* the folder that a process per turn may keep, or 0 */
extern uint64_t state_limit;     /* bytes that it may hold */

/* Writes a plain file in place of whatever is there, its folders too. Gives 0, or -1 with errno. */
int put_file(const char *path, const uint8_t *content, size_t length);

/* Opens the private folders, which are empty. Dies where one is not there. */
void open_private_folders(void);

/*
 * Empties the private folders where anything about them has changed: their change time shows it, and no program can set
 * it. Reading one changes no more than its access time, which the next turn could read.
 */
void clean_private_folders(void);

/*
 * Tidies the state folder after a turn; past its size it is put back as it was. Gives what it held then, else
 * LENGTH_NONE.
 */
uint32_t keep_state(void);

/* Empties all of them, as at the beginning. */
void fresh_folders(void);

/* Answers with the tree of a folder: u32 most, path. Dies where the request is not well formed. */
void tell_files(const frame *f);

/* Makes a folder hold a tree, and no other files: path, tree. Dies where the request is not well formed. */
void put_files(const frame *f);

#endif
