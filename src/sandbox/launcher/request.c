/* request: what a program is to be started with, as a frame gives it. */
#define _GNU_SOURCE
#include "request.h"
#include <stdlib.h>
#include <string.h>
#include "frames.h"

static int parse_numbers(uint8_t **at, const uint8_t *end, request *r) {
    if (end - *at < 8) return 0;
    memcpy(&r->limit, *at, 8);
    *at += 8;
    uint32_t *const numbers[] = {&r->id,   &r->flags, &r->out_cap,      &r->err_cap,
                                 &r->argc, &r->envc,  &r->input_length, &r->file_length};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!take32(at, end, numbers[i])) return 0;
    return 1;
}

/* The words lie one behind the other: a free one, argv, its end, env, its end. */
static int make_room(word_list *words, size_t need) {
    if (need <= words->room) return 1;
    free(words->at);
    words->at = malloc(need * sizeof *words->at);
    words->room = words->at ? need : 0;
    return words->at != 0;
}

static int parse_texts(uint8_t **at, const uint8_t *end, char **into, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!(into[i] = take_text(at, end))) return 0;
    into[count] = 0;
    return 1;
}

int parse_request(uint8_t *body, size_t length, request *r, word_list *words) {
    uint8_t *at = body, *end = body + length;
    if (!parse_numbers(&at, end, r)) return 0;
    if (r->argc < 1 || r->argc > length || r->envc > length) return 0;
    if (!make_room(words, (size_t)r->argc + r->envc + 3)) return 0;
    if (!(r->folder = take_text(&at, end)) || !(r->file = take_text(&at, end))) return 0;
    r->argv = words->at + 1;
    r->env = r->argv + r->argc + 1;
    if (!parse_texts(&at, end, r->argv, r->argc) || !parse_texts(&at, end, r->env, r->envc)) return 0;
    if ((uint64_t)(end - at) != (uint64_t)r->input_length + r->file_length) return 0;
    r->input = at;
    r->content = at + r->input_length;
    return 1;
}
