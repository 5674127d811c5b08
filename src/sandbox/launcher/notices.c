/* notices: who killed it: learns of the family's calls that send SIGKILL. */
#define _GNU_SOURCE
#include "notices.h"
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "base.h"
#include "protocol.h"

int notices = -1;
int family_kills;

/*
 * The kernel's own headers are not everywhere; these are its numbers: SECCOMP_IOCTL_NOTIF_RECV and _SEND (calls.h lets
 * them through).
 */
#define NOTICE_RECEIVE 0xc0502100ul
#define NOTICE_REPLY 0xc0182101ul

/* As the kernel has them: a call that waits, and what comes of it. */
struct notice {
    uint64_t id;
    uint32_t pid, flags;
    struct { int32_t call; uint32_t architecture; uint64_t at, words[6]; } data;
};
struct reply { uint64_t id; int64_t value; int32_t error; uint32_t flags; };

void heed(void) {
    struct notice n = {0};
    if (syscall(SYS_ioctl, notices, NOTICE_RECEIVE, &n)) return; /* who asked has gone */
    family_kills = 1;
    struct reply go_on = {.id = n.id, .flags = 1};
    syscall(SYS_ioctl, notices, NOTICE_REPLY, &go_on);
}

int wait_for(int fd, uint64_t ns) {
    for (uint64_t end = now() + ns, at; (at = now()) < end;) {
        struct pollfd p[2] = {{fd, POLLIN, 0}, {notices, POLLIN, 0}};
        struct timespec left = {(end - at) / SECOND, (end - at) % SECOND};
        if (ppoll(p, 2, &left, 0) <= 0) continue;
        if (p[1].revents) heed();
        if (p[0].revents) return 1;
    }
    return 0;
}

uint32_t killers(void) { return (family_kills ? NOTE_FAMILY : 0) | (notices >= 0 ? NOTE_KNOWN : 0); }
