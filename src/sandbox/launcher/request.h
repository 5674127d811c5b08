/* request: what a program is to be started with, as a frame gives it. */
#ifndef AGON_REQUEST_H
#define AGON_REQUEST_H
#include <stddef.h>
#include <stdint.h>

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

#endif
