/* filter: puts a seccomp filter together, step by step, and has the kernel take it. */
#define _GNU_SOURCE
#include "filter.h"
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base.h"

static struct { uint16_t code; uint8_t yes, no; uint32_t value; } steps[2048];
static int length;

void step(uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
    if (length == COUNT(steps)) die("A filter has more than %d steps", length);
    steps[length].code = code;
    steps[length].yes = yes;
    steps[length].no = no;
    steps[length++].value = value;
}

void step_argument(uint32_t call, int argument, const uint32_t *values, int count, uint32_t other) {
    step(EQUAL, 0, count + 3, call);
    step(LOAD, 0, 0, AT_LOW(argument));
    for (int i = 0; i < count; i++) step(EQUAL, count - i, 0, values[i]);
    step(RETURN, 0, 0, other);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

int install_filter(unsigned flags) {
    struct { uint16_t length; void *steps; } filter = {length, steps};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int made = syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, flags, &filter);
    memset(steps, 0, sizeof *steps * length); /* what it holds of secrets */
    length = 0;
    return made;
}
