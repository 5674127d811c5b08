/* frames: agon's requests as they come in, and the launcher's answers as they go out. */
#ifndef AGON_FRAMES_H
#define AGON_FRAMES_H
#include "base.h"
#include "protocol.h"

extern int requests, answers; /* the frames' descriptors */
extern bytes outbox;          /* the answer that is being made */

/* A request: `length` bytes at `body`, which lie in the inbox. */
typedef struct { uint8_t kind; uint8_t *body; size_t length; } frame;

/* Reads once. Agon's end is this program's end. */
void read_requests(void);
/* Whether a whole frame is there; gives it. Dies where what is there is none. */
int frame_ready(frame *f);
/* Lets go of the frame that `frame_ready` gave. */
void frame_done(const frame *f);
/* Whether the inbox holds more than any frame has: nothing more is read before what is there was handled. */
int inbox_full(void);

/*
 * Takes the next frame out of the inbox: it keeps its buffer, which becomes `held`, while it is handled and further
 * requests are read. Gives whether there was one; then `frame_release` gives the buffer back.
 */
int frame_take(frame *f, bytes *held);
void frame_release(bytes *held);

/* Begins an answer in the outbox; what its body has is appended there. */
void answer(enum answer_kind kind);
/* Sends it. Where agon is gone, so is this program. */
void send_answer(void);

/* Whether a request is about the program of this id: one that was sent for its forerunner may come late. */
int asked_for(uint32_t id, const frame *f);

/* Reads a number at the beginning of what is left, and steps over it. Gives whether it was there. */
int take32(uint8_t **at, const uint8_t *end, uint32_t *value);
/* The same of a text that ends with a NUL: where it begins, or 0. */
char *take_text(uint8_t **at, const uint8_t *end);

#endif
