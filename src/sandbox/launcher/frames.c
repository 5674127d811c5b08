/* frames: agon's requests as they come in, and the launcher's answers as they go out. */
#include "launcher.h"

enum { HEAD = 5 }; /* bytes of a frame before its body */

int requests = 0, answers = 1;
bytes outbox;

static bytes inbox; /* what was read and is not yet consumed, from `inbox_at` on */
static size_t inbox_at;

void read_requests(void) {
    if (inbox_at > 1 << 16) {
        memmove(inbox.at, inbox.at + inbox_at, inbox.length -= inbox_at);
        inbox_at = 0;
    }
    reserve(&inbox, 65536);
    ssize_t n = read(requests, inbox.at + inbox.length, inbox.room - inbox.length);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) _exit(0);
    inbox.length += n;
}

int frame_ready(frame *f) {
    size_t there = inbox.length - inbox_at;
    uint32_t size;
    if (there < 4) return 0;
    memcpy(&size, inbox.at + inbox_at, 4);
    if (size < 1 || size > PROTOCOL_MAX_FRAME) die("A frame of %u bytes: none has so many", size);
    if (there - 4 < size) return 0;
    *f = (frame){inbox.at[inbox_at + 4], inbox.at + inbox_at + HEAD, size - 1};
    return 1;
}
void frame_done(const frame *f) {
    inbox_at += HEAD + f->length;
    if (inbox_at == inbox.length) inbox_at = inbox.length = 0;
}
int inbox_full(void) { return inbox.length - inbox_at > PROTOCOL_MAX_FRAME; }

int frame_take(frame *f) {
    if (!frame_ready(f)) return 0;
    uint8_t *own = malloc(f->length);
    if (!own && f->length) die("Cannot hold %zu bytes: %m", f->length);
    memcpy(own, f->body, f->length);
    frame_done(f);
    f->body = own;
    return 1;
}

void answer(enum answer_kind kind) {
    uint8_t letter = kind;
    outbox.length = 0;
    append32(&outbox, 0);
    append(&outbox, &letter, 1);
}
void send_answer(void) {
    uint32_t size = outbox.length - 4;
    memcpy(outbox.at, &size, 4);
    if (write_all(answers, outbox.at, outbox.length)) _exit(0);
    empty(&outbox);
}

int asked_for(uint32_t id, const frame *f) {
    uint32_t asked;
    if (f->length < 4) die("A request of kind %c has %zu bytes: too few to name a process", f->kind, f->length);
    memcpy(&asked, f->body, 4);
    return asked == id;
}

int take32(uint8_t **at, const uint8_t *end, uint32_t *value) {
    if (end - *at < 4) return 0;
    memcpy(value, *at, 4);
    *at += 4;
    return 1;
}
char *take_text(uint8_t **at, const uint8_t *end) {
    uint8_t *zero = *at < end ? memchr(*at, 0, end - *at) : 0;
    char *text = (char *)*at;
    if (!zero) return 0;
    *at = zero + 1;
    return text;
}
