/* program: what a program is to be started with, as a frame gives it, and how it is started. */
#ifndef AGON_PROGRAM_H
#define AGON_PROGRAM_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* All texts and bytes lie in the frame. The word before argv[0] is free. */
typedef struct {
    uint32_t id, flags, out_cap, err_cap, input_length, file_length;
    uint64_t limit; /* ns */
    char *folder, *file;
    char **argv, **env;
    uint32_t argc, envc;
    uint8_t *input, *content;
} request;

/* Room for the words of a request, used again for the next. All zero: none yet. */
typedef struct { char **at; size_t room; } word_list;

/* Reads a frame's body. Gives 0 where it is not well formed, or has more words than memory has room for. */
int parse_request(uint8_t *body, size_t length, request *r, word_list *words);

/*
 * What to start, with the descriptors of its standard streams. `failed`: the errno of an exec that did not come about.
 */
typedef struct { request *r; int in, out, err, failed; } start;

extern int nothing; /* /dev/null, open */

/*
 * Opens this process's own oom_score_adj. Where memory runs out, the kernel is to end what the bot has started, and not
 * this process: a program inherits how willingly it is ended, so this process takes on the most for the moment of its
 * start. A bot cannot change it back: Landlock closes /proc to it.
 */
void open_willing(void);

/* Starts it in its folder. Gives the pid and its pidfd, or 0 with errno. */
pid_t launch(start *s, int *pidfd);

#endif
